package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;

/**
 * Amounts of resources, which have no smaller parts than thousandths; what is smaller is rounded
 * away from zero (source: SetDefaults_ResourceList).
 */
final class ResourceLists {

  private static final int DECIMALS = 3;

  private ResourceLists() {}

  /** The rule for a struct whose {@code fields} are lists of resources. */
  static StructRule in(String... fields) {
    return struct -> {
      MapNode next = struct;
      for (String field : fields) {
        MapNode amounts = next.map(field);
        MapNode rounded = rounded(amounts);
        next = rounded == amounts ? next : next.with(field, rounded);
      }
      return next;
    };
  }

  private static MapNode rounded(MapNode amounts) {
    MapNode next = amounts;
    for (int i = 0; i < amounts.size(); i++) {
      if (amounts.valueAt(i) instanceof Node.Text amount && mayBeSmall(amount.value())) {
        Quantity exact = Quantity.tryParse(amount.value()).orElse(null);
        Quantity rounded = exact == null ? null : exact.roundedUpTo(DECIMALS);
        if (rounded != null && !rounded.equals(exact)) {
          next = next.with(amounts.keyAt(i), Node.text(rounded.toString()));
        }
      }
    }
    return next;
  }

  /** Whether a quantity is written so that it can have more decimal places. */
  private static boolean mayBeSmall(String text) {
    char last = text.isEmpty() ? ' ' : text.charAt(text.length() - 1);
    return last == 'n' || last == 'u' || text.indexOf('.') >= 0 || text.indexOf('-', 1) > 0;
  }
}
