package dev.keelson.value;

import java.time.Duration;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A cron schedule: five fields, or a word such as {@code @daily} (source: crontab(5), with the
 * syntax and the messages of github.com/robfig/cron/v3, the parser that Kubernetes uses).
 *
 * @param zone the time zone in the schedule; empty if there is none
 * @param fields minutes, hours, days of the month, months, days of the week; empty with {@code
 *     every}
 * @param every the time between two runs, in whole seconds; zero if there are fields
 */
public record CronSchedule(String zone, List<Field> fields, Duration every) {

  /**
   * The values of a field.
   *
   * @param bits bit n is set if value n matches
   * @param any whether the field has a {@code *} or {@code ?} without a step: of two day fields it
   *     restricts nothing
   */
  public record Field(long bits, boolean any) {}

  private static final String[] MONTHS = {
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
  };
  private static final String[] DAYS = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
  private static final String[] NONE = {};

  /** A field's bounds and the names for its values, which begin at {@code low}. */
  private record Bounds(int low, int high, String[] names) {}

  private static final Bounds[] FIELDS = {
    new Bounds(0, 59, NONE),
    new Bounds(0, 23, NONE),
    new Bounds(1, 31, NONE),
    new Bounds(1, 12, MONTHS),
    new Bounds(0, 6, DAYS)
  };

  public CronSchedule {
    fields = List.copyOf(fields);
  }

  private static final class BadSchedule extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    BadSchedule(String message) {
      super(message);
    }
  }

  /** The problem with a schedule, or empty. */
  public static String problem(String schedule) {
    try {
      CronSchedule unused = parse(schedule);
      return "";
    } catch (BadSchedule e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Reads a schedule that has no {@link #problem}.
   *
   * @throws IllegalArgumentException if it has one, with the problem as message
   */
  public static CronSchedule parse(String schedule) {
    String spec = schedule;
    String zone = "";
    if (spec.isEmpty()) {
      throw new BadSchedule("empty spec string");
    }
    if (spec.startsWith("TZ=") || spec.startsWith("CRON_TZ=")) {
      int space = spec.indexOf(' ');
      zone = spec.substring(spec.indexOf('=') + 1, space < 0 ? spec.length() : space);
      if (!isZone(zone)) {
        throw new BadSchedule("provided bad location " + zone + ": unknown time zone " + zone);
      }
      spec = space < 0 ? "" : spec.substring(space).strip();
    }
    if (spec.startsWith("@")) {
      return word(zone, spec);
    }
    String stripped = spec.strip();
    String[] fields = stripped.isEmpty() ? NONE : stripped.split("\\s+");
    if (fields.length != FIELDS.length) {
      throw new BadSchedule(
          "expected exactly 5 fields, found "
              + fields.length
              + ": ["
              + String.join(" ", fields)
              + "]");
    }
    List<Field> parsed = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      long bits = 0;
      boolean any = false;
      for (String text : fields[i].split(",")) {
        Field range = range(text, FIELDS[i]);
        bits |= range.bits;
        any |= range.any;
      }
      parsed.add(new Field(bits, any));
    }
    return new CronSchedule(zone, parsed, Duration.ZERO);
  }

  private static Field range(String text, Bounds bounds) {
    String[] rangeAndStep = text.split("/", -1);
    String[] ends = rangeAndStep[0].split("-", -1);
    boolean single = ends.length == 1;
    int start;
    int end;
    int step = 1;
    boolean any = ends[0].equals("*") || ends[0].equals("?");
    if (any) {
      start = bounds.low;
      end = bounds.high;
    } else {
      start = number(ends[0], bounds);
      end =
          switch (ends.length) {
            case 1 -> start;
            case 2 -> number(ends[1], bounds);
            default -> throw new BadSchedule("too many hyphens: " + text);
          };
    }
    if (rangeAndStep.length > 2) {
      throw new BadSchedule("too many slashes: " + text);
    }
    if (rangeAndStep.length == 2) {
      step = integer(rangeAndStep[1]);
      if (single) {
        end = bounds.high;
      }
      if (step == 0) {
        throw new BadSchedule("step of range should be a positive number: " + text);
      }
    }
    if (start < bounds.low) {
      throw new BadSchedule(
          "beginning of range (" + start + ") below minimum (" + bounds.low + "): " + text);
    }
    if (end > bounds.high) {
      throw new BadSchedule(
          "end of range (" + end + ") above maximum (" + bounds.high + "): " + text);
    }
    if (start > end) {
      throw new BadSchedule(
          "beginning of range (" + start + ") beyond end of range (" + end + "): " + text);
    }
    long bits = 0;
    for (int value = start; value <= end && value >= start; value += step) {
      bits |= 1L << value;
    }
    return new Field(bits, any && step == 1);
  }

  private static int number(String text, Bounds bounds) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (int i = 0; i < bounds.names.length; i++) {
      if (bounds.names[i].equals(lower)) {
        return bounds.low + i;
      }
    }
    return integer(text);
  }

  private static int integer(String text) {
    try {
      int number = Integer.parseInt(text);
      if (number < 0) {
        throw new BadSchedule("negative number (" + number + ") not allowed: " + text);
      }
      return number;
    } catch (NumberFormatException e) {
      throw new BadSchedule(
          "failed to parse int from "
              + text
              + ": strconv.Atoi: parsing "
              + GoQuote.quote(text)
              + ": invalid syntax");
    }
  }

  private static CronSchedule word(String zone, String spec) {
    return switch (spec) {
      case "@yearly", "@annually" -> fields(zone, "0 0 1 1 *");
      case "@monthly" -> fields(zone, "0 0 1 * *");
      case "@weekly" -> fields(zone, "0 0 * * 0");
      case "@daily", "@midnight" -> fields(zone, "0 0 * * *");
      case "@hourly" -> fields(zone, "0 * * * *");
      default -> {
        if (!spec.startsWith("@every ")) {
          throw new BadSchedule("unrecognized descriptor: " + spec);
        }
        yield new CronSchedule(zone, List.of(), every(spec));
      }
    };
  }

  private static CronSchedule fields(String zone, String spec) {
    return new CronSchedule(zone, parse(spec).fields, Duration.ZERO);
  }

  private static Duration every(String spec) {
    String duration = spec.substring("@every ".length());
    try {
      long seconds = GoDuration.parse(duration).toDuration().toSeconds();
      return Duration.ofSeconds(Math.max(1, seconds));
    } catch (ValueFormatException e) {
      throw new BadSchedule("failed to parse duration " + spec + ": " + e.text());
    }
  }

  /** The problem with the time zone of a schedule, or empty. */
  public static String zoneProblem(String zone) {
    if (zone.isEmpty()) {
      return "timeZone must be nil or non-empty string";
    }
    if (zone.equalsIgnoreCase("Local")) {
      return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    }
    return isZone(zone) ? "" : "unknown time zone " + zone;
  }

  private static boolean isZone(String zone) {
    return zone.equals("UTC") || ZoneRulesProvider.getAvailableZoneIds().contains(zone);
  }
}
