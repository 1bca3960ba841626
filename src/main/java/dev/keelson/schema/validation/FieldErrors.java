package dev.keelson.schema.validation;

import dev.keelson.value.GoQuote;
import java.util.Arrays;
import java.util.List;

/** The messages of causes, word for word as Kubernetes has them (field.Error). */
final class FieldErrors {

  /** Known values that Kubernetes lists in an order of its own; it sorts all others. */
  private static final String[][] UNSORTED = {
    {"Always", "OnFailure", "Never"},
    {"NonIndexed", "Indexed"},
    {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"},
    {"PreemptLowerPriority", "Never"},
    {"NoSchedule", "PreferNoSchedule", "NoExecute"},
    {"File", "FallbackToLogsOnError"},
    {"nil", "false"}
  };

  private FieldErrors() {}

  static String required(String detail) {
    return detail.isEmpty() ? "Required value" : "Required value: " + detail;
  }

  static String invalid(String value, String detail) {
    return "Invalid value: " + value + ": " + detail;
  }

  static String duplicate(String value, String detail) {
    return "Duplicate value: " + value + (detail.isEmpty() ? "" : ": " + detail);
  }

  static String notFound(String value, String detail) {
    return "Not found: " + value + (detail.isEmpty() ? "" : ": " + detail);
  }

  static String tooLong(int bytes) {
    return "Too long: may not be more than " + bytes + " bytes";
  }

  static String tooMany(int items, int most) {
    return "Too many: " + items + ": must have at most " + most + " items";
  }

  /** The known values are listed as given. */
  static String unsupported(String value, List<String> known) {
    StringBuilder text = new StringBuilder("Unsupported value: ");
    text.append(value).append(": supported values: ");
    for (int i = 0; i < known.size(); i++) {
      text.append(i > 0 ? ", " : "").append(GoQuote.quote(known.get(i)));
    }
    return text.toString();
  }

  /** The known values in Kubernetes' order. */
  static List<String> sorted(String... known) {
    String[] sorted = known.clone();
    Arrays.sort(sorted);
    List<String> all = List.of(sorted);
    for (String[] order : UNSORTED) {
      if (order.length == sorted.length && Arrays.asList(order).containsAll(all)) {
        return List.of(order);
      }
    }
    return all;
  }
}
