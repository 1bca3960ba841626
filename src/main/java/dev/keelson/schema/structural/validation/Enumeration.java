package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.structural.NormalForm;
import dev.keelson.schema.structural.ShownValue;
import dev.keelson.value.GoQuote;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values that a schema allows. Immutable. */
final class Enumeration {

  private static final int MOST_SHOWN_CHARACTERS = 1 << 16;

  private final List<Node> values;

  /** The strings among them. */
  private final Set<String> texts = new HashSet<>();

  /** The other values but null, which no enumeration contains, as JSON. */
  private final Set<String> known = new HashSet<>();

  private Enumeration(List<Node> values) {
    this.values = values;
    for (Node value : values) {
      if (value instanceof Node.Text text) {
        texts.add(text.value());
      } else if (value != Node.Null.NULL) {
        known.add(ShownValue.whole(NormalForm.of(value)));
      }
    }
  }

  /** The values of a schema; null if it does not enumerate any. */
  static @Nullable Enumeration of(MapNode schema) {
    List<Node> values = schema.items("enum");
    return values.isEmpty() ? null : new Enumeration(values);
  }

  void check(Node value, Place at, Findings findings) {
    boolean found =
        value instanceof Node.Text text
            ? texts.contains(text.value())
            : value != Node.Null.NULL && known.contains(ShownValue.whole(value));
    if (!found) {
      findings.unsupported(at, value, supported());
    }
  }

  private String supported() {
    StringBuilder text = new StringBuilder();
    for (Node value : values) {
      if (text.length() > MOST_SHOWN_CHARACTERS) {
        return text.append(", ...").toString();
      }
      text.append(text.isEmpty() ? "" : ", ")
          .append(
              GoQuote.quote(
                  value instanceof Node.Text string ? string.value() : ShownValue.json(value)));
    }
    return text.toString();
  }
}
