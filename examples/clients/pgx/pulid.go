package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// registerPulid tells a connection that a pulid is a string, in the text and the binary format,
// and what an array of them is. A pool calls it as pgxpool.Config.AfterConnect.
func registerPulid(ctx context.Context, conn *pgx.Conn) error {
	var id, array uint32
	err := conn.QueryRow(ctx, "SELECT 'pulid'::regtype::oid, 'pulid[]'::regtype::oid").
		Scan(&id, &array)
	if err != nil {
		return err
	}
	pulid := &pgtype.Type{Name: "pulid", OID: id, Codec: pgtype.TextCodec{}}
	conn.TypeMap().RegisterType(pulid)
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name: "_pulid", OID: array, Codec: &pgtype.ArrayCodec{ElementType: pulid},
	})
	return nil
}
