"""DTU §10.3.3: do past values predict better than the calendar alone? An hourly series of twelve weeks.

Working days have two rush hours, weekends one broad hump; on top lie moods that fade over hours. Every model
is tested on later rows than it was trained on, with p + h − 1 rows of padding between.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, band, mosaic, save

from suffice.baselines import LastValue
from suffice.evaluation import Rolling, cross_validate
from suffice.linear import Ridge
from suffice.prepare import CalendarFeatures, embed

time = np.datetime64("2024-01-01T00:00") + np.arange(12 * 7 * 24) * np.timedelta64(1, "h")
hour, day = CalendarFeatures().fit_transform(time).T
rush = 90 * np.exp(-((hour - 8) ** 2) / 5) + 70 * np.exp(-((hour - 17) ** 2) / 8)
level = 60 + np.where(day < 5, rush, 45 * np.exp(-((hour - 14) ** 2) / 20))
mood = np.zeros(len(time))
for t, shock in enumerate(np.random.default_rng(4).normal(0, 6, len(time) - 1)):
    mood[t + 1] = 0.9 * mood[t] + shock
people = level + mood

hours = np.eye(24)[hour.astype(int)]
calendar = np.hstack(
    [hours * (day < 5)[:, None], hours * (day >= 5)[:, None]]
)  # a daily course of either kind
p, horizons = 24, [1, 2, 3, 4, 6, 8, 12, 16, 20, 24]
curves = {"last value": [], "calendar only": [], "past only": [], "past and calendar": []}
for h in horizons:
    table = embed(people, p=p, h=h, instantaneous=calendar)
    past, now = table.only("lagged"), table.only("instantaneous")
    models = ((LastValue(table.newest), table), (Ridge(1.0), now), (Ridge(1.0), past), (Ridge(1.0), table))
    cv = Rolling(6, test_size=168, padding=table.padding)  # a week at a time
    for curve, (model, part) in zip(curves.values(), models, strict=True):
        curve.append(np.sqrt(cross_validate(model, part.X, part.y, cv=cv).estimate))

fig, axes = mosaic([["errors", "week", "week"]], size=(13, 4.2))
for (name, curve), color in zip(curves.items(), (GREY, ORANGE, GREEN, BLUE), strict=True):
    axes["errors"].plot(horizons, curve, "o-", ms=4, color=color, label=f"{name}: {curve[0]:.1f} at h = 1")
axes["errors"].set(
    xlabel="horizon h, hours",
    ylabel="root mean squared error",
    title="Past values help for half a day",
    ylim=(0, 60),
)
axes["errors"].legend()

table = embed(people, p=p, h=3, instantaneous=calendar)
seen = slice(0, -168 - table.padding)
week = table.rows[-168:]
forecast = Ridge(1.0).fit(table.X[seen], table.y[seen]).predict_dist(table.X[-168:])
band(axes["week"], time[week], *forecast.interval(0.95), "95 % interval")
axes["week"].plot(time[week], forecast.mean, color=BLUE, label="three hours ahead")
axes["week"].plot(time[week], people[week], ".", ms=4, color=INK, label="what came")
inside = np.mean((people[week] >= forecast.interval(0.95)[0]) & (people[week] <= forecast.interval(0.95)[1]))
axes["week"].set(ylabel="people", title=f"The last week, unseen: {inside:.0%} inside the band", ylim=(0, 225))
axes["week"].legend(ncols=3, loc="upper right")
axes["week"].set_xticks(time[week][::24], ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
save(fig, __file__)
