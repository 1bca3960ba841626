package dev.keelson.schema.validation.apiextensions;

import dev.keelson.schema.validation.Value;
import java.util.LinkedHashSet;
import java.util.Set;

/** Formats that validation of custom objects ignores (source: apiservervalidation, formats). */
final class UnrecognizedFormats {

  private static final Set<String> OF_STRINGS =
      Set.of(
          "bsonobjectid",
          "uri",
          "email",
          "hostname",
          "ipv4",
          "ipv6",
          "cidr",
          "mac",
          "uuid",
          "uuid3",
          "uuid4",
          "uuid5",
          "isbn",
          "isbn10",
          "isbn13",
          "creditcard",
          "ssn",
          "hexcolor",
          "rgbcolor",
          "byte",
          "password",
          "date",
          "duration",
          "datetime",
          "quantity",
          "k8sshortname",
          "k8slongname");

  private UnrecognizedFormats() {}

  /** The formats in the schemas of a definition. */
  static Set<String> of(Value definition) {
    Set<String> found = new LinkedHashSet<>();
    for (Value root : SpecForm.of(definition).schemas()) {
      boolean _ =
          Schemas.any(
              root.node(),
              schema -> {
                String format = schema.text("format");
                if (!format.isEmpty() && !isRecognized(schema.text("type"), format)) {
                  found.add(format);
                }
                return false;
              });
    }
    return found;
  }

  private static boolean isRecognized(String type, String format) {
    return switch (type) {
      case "", "string" -> OF_STRINGS.contains(format.replace("-", ""));
      case "integer" -> format.equals("int32") || format.equals("int64");
      case "number" -> format.equals("float") || format.equals("double");
      default -> false;
    };
  }
}
