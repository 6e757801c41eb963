"""What bench_lammps and bench_inputs have measured: table, summary, file, plot.   SPDX-License-Identifier: GPL-2.0-or-later"""

import argparse
import json
import os
import statistics
import sys

from lammps_runs import spread

COLUMNS = (f"{'program and mode':30} {'particles':>9} {'density':>7} {'cutoff':>6} {'ranks':>5} {'thermo':>6} "
           f"{'sort':>5} {'steps':>7} {'M steps/s':>10} {'spread':>7}   share of time in %")
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933", "#882255", "#44aa99")


def out_file(name):
    """Asked for before hours of runs, not after them."""
    if not os.path.isdir(os.path.dirname(name) or "."):
        raise argparse.ArgumentTypeError(f"{name}: there is no such folder")
    return name


def plot_file(name):
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise argparse.ArgumentTypeError("a plot needs the Python package matplotlib") from error
    return out_file(name)


class Rates:
    """Rows that were measured and rows that failed, printed and written to a file as they come."""

    def __init__(self, args, program, columns):
        self.args, self.program = args, program
        self.rows, self.remarks, self.failures = [], [], []
        self.write()    # if it cannot be written, that is said before hours of runs
        print(columns, flush=True)

    def keep(self, row, line):
        """line: makes the text of a row."""
        row["median"] = statistics.median(row["rates"])
        self.rows.append(row)
        print(line(row), flush=True)
        self.write()

    def drop(self, row, line, failure):
        """A row without rates, as its run has failed."""
        self.failures.append(dict(row, error=str(failure)))
        print(line, flush=True)
        print(f"{self.program}: {row['name']}: {failure}", file=sys.stderr, flush=True)
        self.write()

    def write(self):
        if self.args.json:
            try:
                with open(self.args.json, "w", encoding="utf-8") as file:
                    json.dump({"arguments": vars(self.args), "remarks": self.remarks, "rows": self.rows,
                               "failures": self.failures}, file, indent=1)
            except OSError as error:
                sys.exit(f"{self.program}: --json {self.args.json}: {error.strerror}")

    def remark(self, lines):
        """What programs say about themselves, once each, after the table."""
        self.remarks += [line for line in dict.fromkeys(lines) if line not in self.remarks]

    def status(self):
        """The exit status of the program."""
        return 1 if self.failures else 0


def fluid_columns(row):
    return f"{row['name']:30} {row['n']:9} {row['density']:7g} {row['cutoff']:6g} {row['ranks']:5}"


def full_line(row):
    shares = " ".join(f"{name} {value:.0f}" for name, value in row.get("shares", {}).items())
    return (f"{fluid_columns(row)} {row.get('thermo', '-'):>6} {row.get('sort', '-'):>5} {row['steps']:7} "
            f"{row['median'] / 1e6:10.4g} {spread(row['rates']):7.1%}   {shares}")


class Report(Rates):
    """The table of bench_lammps."""

    def __init__(self, args):
        super().__init__(args, "bench_lammps", COLUMNS)

    def add(self, row):
        self.keep(row, full_line)

    def failed(self, row, failure):
        self.drop(row, f"{fluid_columns(row)}: failed", failure)

    def end(self):
        """The exit status."""
        print("\n" + "\n".join(self.remarks))
        ratios(self.rows, self.args.thermo[0])
        slower_output(self.rows, self.args.thermo)
        scaling(self.rows, self.args.thermo[0])
        if self.args.plot and self.rows:
            draw(self.rows, self.args.thermo, self.args.plot)
        return self.status()


STAYING = ("resident", "kk")    # modes whose atoms stay on the GPU: longer runs, larger systems, every value of --thermo


def fluid_of(row):
    return row["density"], row["cutoff"], row["n"]


def text_of(fluid):
    return f"{fluid[2]} particles, density {fluid[0]:g}, cutoff {fluid[1]:g}"


def series_of(rows):
    """Resident runs with another sort or number of ranks are series of their own; of others the best ranks count."""
    found = {}
    for row in rows:
        name = row["name"]
        if row["mode"] == "kk":
            name += f", {row['ranks']} GPUs" if row["ranks"] > 1 else ""
        if row["mode"] == "resident":
            name += f", sort {row['sort']}" + (f", {row['ranks']} ranks" if row["ranks"] > 1 else "")
        fluids = found.setdefault((name, row["mode"]), {})
        if row["median"] > fluids.get(fluid_of(row), {"median": 0.0})["median"]:
            fluids[fluid_of(row)] = row
    return found


def ratios(rows, thermo):
    series = series_of([row for row in rows if row.get("thermo", thermo) == thermo])
    for (name, mode), fluids in series.items():
        for fluid, row in fluids.items() if mode == "resident" else ():
            others = [(other, found[fluid]["median"]) for (other, its_mode), found in series.items()
                      if its_mode != "resident" and fluid in found]
            if others:
                print(f"{text_of(fluid)}: {name} makes {row['median'] / 1e6:.4g} M steps/s, "
                      + ", ".join(f"{row['median'] / rate:.3g} times {other}" for other, rate in others))


def slower_output(rows, thermo):
    for every in thermo[1:]:
        often = series_of([row for row in rows if row["mode"] == "resident" and row["thermo"] == every])
        seldom = series_of([row for row in rows if row["mode"] == "resident" and row["thermo"] == thermo[0]])
        for key, fluids in often.items():
            for fluid, row in fluids.items():
                change = row["median"] / seldom[key][fluid]["median"] - 1.0
                print(f"{text_of(fluid)}: {key[0]} with thermo every {every} instead of {thermo[0]} steps: "
                      f"{change:+.1%}")


def scaling(rows, thermo):
    """Of mode kk, how far ranks fall short of the same number of single ones."""
    found = {(row["density"], row["cutoff"], row["n"], row["ranks"]): row["median"] for row in rows
             if row["mode"] == "kk" and row["thermo"] == thermo}
    for (density, cutoff, n, ranks), rate in found.items():
        if ranks == 1:
            continue
        for kind, alone in (("weakly", n // ranks), ("strongly", n)):
            single = found.get((density, cutoff, alone, 1))
            if single:
                print(f"{text_of((density, cutoff, n))}: {ranks} ranks scale {kind} to {rate / ranks / single:.0%} of one rank "
                      f"with {alone}")


# --------------------------------------------------------------------------------------------------------- the plot


def curves_of(rows, thermo):
    """Label, mode, whether dashed, and {size: rate} of each curve, for one density and cutoff."""
    for every in thermo:
        for (name, mode), fluids in series_of([row for row in rows if row.get("thermo", thermo[0]) == every]).items():
            if every == thermo[0] or mode in STAYING:
                label = name + (f", thermo {every}" if mode in STAYING and len(thermo) > 1 else "")
                yield label, mode, every != thermo[0], {fluid[2]: row["median"] / 1e6 for fluid, row in fluids.items()}


def in_words(n):
    for unit, letter in ((1000000, " M"), (1000, " k")):
        if n >= unit:
            return f"{n / unit:.3g}{letter}"
    return str(n)


def plain(axis):
    """1, 2 and 5 times powers of ten, for a logarithmic axis."""
    from matplotlib import ticker

    axis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
    axis.set_minor_locator(ticker.NullLocator())


def scale(axes, sizes):
    from matplotlib import ticker

    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes, [in_words(n) for n in sizes])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    plain(axes.yaxis)
    axes.set_xlabel("particles")
    axes.set_ylabel("million particle-steps per second")
    axes.grid(color="0.9")
    axes.set_axisbelow(True)


def draw_panel(axes, rows, thermo, single):
    colors = {}
    curves = sorted(curves_of(rows, thermo), key=lambda curve: curve[1] != "resident")
    for k, (label, mode, dashed, rates) in enumerate(curves):
        color = colors.setdefault(label.split(", thermo")[0], COLORS[len(colors) % len(COLORS)])
        if single:
            axes.barh(k, *rates.values(), color=color)
            axes.text(*rates.values(), k, f" {next(iter(rates.values())):.4g}", va="center")
        else:
            sizes = sorted(rates)
            axes.plot(sizes, [rates[n] for n in sizes], "--" if dashed else "-", marker="o", markersize=5, color=color,
                      linewidth=2.5 if mode == "resident" else 1.5, label=label)
    if not single:
        scale(axes, sorted({row["n"] for row in rows}))
        return
    axes.set_xscale("log")
    plain(axes.xaxis)
    axes.set_yticks(range(len(curves)), [curve[0] for curve in curves])
    axes.invert_yaxis()
    found = [rate for curve in curves for rate in curve[3].values()]
    axes.set_xlim(0.5 * min(found), 5.0 * max(found))  # room for the numbers
    axes.set_xlabel("million particle-steps per second")


def draw(rows, thermo, name):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    single = len({row["n"] for row in rows}) == 1
    panels = sorted({(row["density"], row["cutoff"]) for row in rows})
    shape, size = ((len(panels), 1), (8.0, 3.8 * len(panels))) if single else \
        ((1, len(panels)), (max(7.0, 5.0 * len(panels)), 6.2))
    figure, axes = plt.subplots(*shape, figsize=size, squeeze=False, sharex=not single, sharey=not single,
                                layout="constrained")
    for panel, fluid in zip(axes.flat, panels):
        draw_panel(panel, [row for row in rows if (row["density"], row["cutoff"]) == fluid], thermo, single)
        particles = f"{in_words(rows[0]['n'])} particles, " if single else ""
        panel.set_title(f"{particles}density {fluid[0]:g}, cutoff {fluid[1]:g}")
    if not single:
        labels = {}
        for panel in axes.flat:
            labels.update(zip(*reversed(panel.get_legend_handles_labels())))
        figure.legend(labels.values(), labels.keys(), loc="outside lower center", ncols=2, frameon=False)
    figure.savefig(name, dpi=150)
    plt.close(figure)
    print(f"plot: {name}")
