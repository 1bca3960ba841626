package dev.keelson.controller.cronjob;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.keelson.value.CronSchedule;
import dev.keelson.value.CronSchedule.Field;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The times of a cron schedule, as github.com/robfig/cron/v3 has them: a time that clocks pass
 * twice counts twice, one that they skip does not exist.
 */
final class CronTimes {

  /*
   * cron-utils reckons within periods of one offset to UTC only, since at changes of the offset it
   * differs from robfig/cron: the next time of a period that lies beyond its end is looked for in
   * the next period again. The fields are given to it as lists of numbers, because the syntaxes
   * differ in steps, names and question marks.
   */

  /** Without a time within these years there is none. */
  private static final int YEARS = 5;

  private final ZoneRules zone;

  /** Null if the times have one distance. */
  private final @Nullable ExecutionTime times;

  private final Duration every;

  /**
   * The times of a schedule.
   *
   * @param zone for a schedule that has none itself
   */
  CronTimes(CronSchedule schedule, ZoneId zone) {
    this.zone = (schedule.zone().isEmpty() ? zone : ZoneId.of(schedule.zone())).getRules();
    this.every = schedule.every();
    this.times =
        schedule.fields().isEmpty()
            ? null
            : ExecutionTime.forCron(
                new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX))
                    .parse(text(schedule.fields())));
  }

  private static String text(List<Field> fields) {
    List<String> texts = new ArrayList<>();
    for (Field field : fields) {
      texts.add(
          field.any()
              ? "*"
              : IntStream.range(0, Long.SIZE)
                  .filter(value -> (field.bits() >>> value & 1) == 1)
                  .mapToObj(Integer::toString)
                  .collect(Collectors.joining(",")));
    }
    return String.join(" ", texts);
  }

  /** The first time after another one; empty if there is none. */
  Optional<Instant> next(Instant after) {
    if (times == null) {
      return Optional.of(after.truncatedTo(ChronoUnit.SECONDS).plus(every));
    }
    int lastYear = after.atOffset(zone.getOffset(after)).getYear() + YEARS;
    ZonedDateTime from = after.atZone(zone.getOffset(after));
    Instant end = end(after);
    while (from.getYear() <= lastYear) {
      ZonedDateTime found = times.nextExecution(from).orElse(null);
      if (found == null || found.getYear() > lastYear) {
        return Optional.empty();
      }
      if (found.toInstant().isBefore(end)) {
        return Optional.of(found.toInstant());
      }
      // the end is the first moment of the next period, and may be a time itself
      from = end.atZone(zone.getOffset(end)).minusSeconds(1);
      end = end(end);
    }
    return Optional.empty();
  }

  /** The end of the period of one offset. */
  private Instant end(Instant begin) {
    ZoneOffsetTransition transition = zone.nextTransition(begin);
    return transition == null ? Instant.MAX : transition.getInstant();
  }
}
