package dev.keelson.schema.validation.apiextensions;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import java.util.Locale;

/** The names of a resource, in the spec or accepted. */
final class NameRules {

  private NameRules() {}

  /** Reports the names that the spec lacks. */
  static void required(Value names) {
    for (String name : new String[] {"plural", "singular", "kind", "listKind"}) {
      if (!names.get(name).filled()) {
        names.get(name).required();
      }
    }
  }

  static void validate(Value names) {
    label(names.get("plural"));
    label(names.get("singular"));
    mixedCase(names.get("kind"));
    mixedCase(names.get("listKind"));
    for (Value shortName : names.get("shortNames")) {
      requiredLabel(shortName);
    }
    Value listKind = names.get("listKind");
    if (names.get("kind").filled() && names.get("kind").is(listKind.text())) {
      listKind.invalid("kind and listKind may not be the same");
    }
    for (Value category : names.get("categories")) {
      requiredLabel(category);
    }
  }

  private static void label(Value name) {
    if (name.filled()) {
      requiredLabel(name);
    }
  }

  /** Requires a label, also of an empty string. */
  static void requiredLabel(Value name) {
    String problem = Formats.DNS_1035_LABEL.apply(name.text()).replace("\n", ",");
    if (!problem.isEmpty()) {
      name.orEmpty().invalid(problem);
    }
  }

  private static void mixedCase(Value kind) {
    String lower = kind.text().toLowerCase(Locale.ROOT);
    String problem = Formats.DNS_1035_LABEL.apply(lower).replace("\n", ",");
    if (kind.filled() && !problem.isEmpty()) {
      kind.invalid("may have mixed case, but should otherwise match: " + problem);
    }
  }
}
