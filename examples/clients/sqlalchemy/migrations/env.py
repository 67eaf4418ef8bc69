from alembic import context

import models

with context.config.attributes["engine"].connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=models.Base.metadata,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()
