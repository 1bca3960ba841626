package dev.keelson.schema.validation.batch;

import dev.keelson.value.GoDuration;
import dev.keelson.value.GoQuote;
import dev.keelson.value.ValueFormatException;
import java.time.zone.ZoneRulesProvider;
import java.util.Locale;

/**
 * The syntax of cron schedules: five fields, or a word such as {@code @daily} (source: crontab(5),
 * with the messages of the cron parser that Kubernetes uses).
 */
final class CronSchedule {
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

  private CronSchedule() {}

  private static final class BadSchedule extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadSchedule(String message) {
      super(message, null, false, false);
    }
  }

  /** The problem with a schedule, or empty. */
  static String problem(String schedule) {
    try {
      parse(schedule);
      return "";
    } catch (BadSchedule e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void parse(String schedule) {
    String spec = schedule;
    if (spec.isEmpty()) {
      throw new BadSchedule("empty spec string");
    }
    if (spec.startsWith("TZ=") || spec.startsWith("CRON_TZ=")) {
      int space = spec.indexOf(' ');
      String zone = spec.substring(spec.indexOf('=') + 1, space < 0 ? spec.length() : space);
      if (!isZone(zone)) {
        throw new BadSchedule("provided bad location " + zone + ": unknown time zone " + zone);
      }
      spec = space < 0 ? "" : spec.substring(space).strip();
    }
    if (spec.startsWith("@")) {
      word(spec);
      return;
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
    for (int i = 0; i < fields.length; i++) {
      for (String range : fields[i].split(",")) {
        range(range, FIELDS[i]);
      }
    }
  }

  private static void range(String text, Bounds bounds) {
    String[] rangeAndStep = text.split("/", -1);
    String[] ends = rangeAndStep[0].split("-", -1);
    boolean single = ends.length == 1;
    int start;
    int end;
    if (ends[0].equals("*") || ends[0].equals("?")) {
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
      int step = integer(rangeAndStep[1]);
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

  private static void word(String spec) {
    switch (spec) {
      case "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly" -> {}
      default -> {
        if (!spec.startsWith("@every ")) {
          throw new BadSchedule("unrecognized descriptor: " + spec);
        }
        String duration = spec.substring("@every ".length());
        try {
          GoDuration unused = GoDuration.parse(duration);
        } catch (ValueFormatException e) {
          throw new BadSchedule("failed to parse duration " + spec + ": " + e.text());
        }
      }
    }
  }

  /** The problem with the time zone of a schedule, or empty. */
  static String zoneProblem(String zone) {
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
