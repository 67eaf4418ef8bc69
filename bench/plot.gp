# One plot, from gnuplot -e "title = '...'; data = 'FILE'": a block of data for each line, headed
# by its label. Grey and mid-tone colours on no background can be read in light and dark.
set terminal svg size 760,380 font 'sans-serif,13' enhanced
stats data using 1 nooutput
lines = STATS_blocks

grey = '#808891'
set title title textcolor rgb grey
set border 3 linecolor rgb grey
set grid ytics linecolor rgb grey dashtype 3
set tics nomirror textcolor rgb grey
set key outside right top Left reverse textcolor rgb grey
set logscale x
set format x '10^{%L}'
set xlabel 'rows' textcolor rgb grey
set yrange [0:*]
set offsets graph 0, 0, graph 0.05, 0

array colour[10] = ['#2f81f7', '#d9822b', '#8e6fd8', '#d64f4f', '#3fa35a', \
                    '#d45ba8', '#1f9e9e', '#9a8a2e', '#7d7d7d', '#b0703c']

plot for [i = 0 : lines - 1] data index i using 1:2 with linespoints title columnheader(1) \
    linecolor rgb colour[i + 1] linewidth (i == 0 ? 3 : 1.5) pointtype (i + 5) pointsize 0.8
