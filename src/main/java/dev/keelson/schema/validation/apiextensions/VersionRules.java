package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.apiextensions.SchemaPaths.Brackets;
import dev.keelson.schema.validation.apiextensions.SchemaPaths.InvalidPathException;
import dev.keelson.schema.validation.apiextensions.SchemaPaths.Target;
import dev.keelson.schema.validation.apiextensions.SpecForm.Parts;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a version has beside its schema; some of it may stand at the top of the spec. */
final class VersionRules {

  private static final int MOST_SELECTABLE_FIELDS = 8;
  private static final int LONGEST_WARNING = 256;
  private static final String COLUMN_TYPES = "must be one of boolean,date,integer,number,string";
  private static final Set<String> TYPES = Set.of("integer", "number", "string", "boolean", "date");
  private static final Set<String> FORMATS =
      Set.of("int32", "int64", "float", "double", "byte", "date", "date-time", "password");

  private VersionRules() {}

  static void validateDeprecation(Value version) {
    Value warning = version.get("deprecationWarning");
    if (warning.absent()) {
      return;
    }
    if (!version.get("deprecated").flag()) {
      warning.invalid("can only be set for deprecated versions");
      return;
    }
    String text = warning.text();
    if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_WARNING) {
      warning.invalid("must be <= 256 characters long");
    }
    if (text.isEmpty()) {
      warning.invalid("must not be an empty string");
    }
    printable(warning, text);
  }

  private static void printable(Value warning, String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      if (!GoQuote.isPrintable(point)) {
        warning.invalid(
            "must only contain printable UTF-8 characters; non-printable character found at index "
                + bytes);
        return;
      }
      bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      i += Character.charCount(point);
    }
  }

  static void validateScale(Value subresources) {
    Value scale = subresources.get("scale");
    if (scale.absent()) {
      return;
    }
    replicas(scale.get("specReplicasPath"), ".spec");
    replicas(scale.get("statusReplicasPath"), ".status");
    Value selector = scale.get("labelSelectorPath");
    String path = selector.text();
    if (selector.filled()
        && isSimple(selector)
        && !path.startsWith(".spec.")
        && !path.startsWith(".status.")) {
      selector.invalid("should be a json path under either .spec or .status");
    }
  }

  private static void replicas(Value path, String root) {
    if (!path.filled()) {
      path.required();
    } else if (isSimple(path) && !path.text().startsWith(root + ".")) {
      path.invalid("should be a json path under " + root);
    }
  }

  private static boolean isSimple(Value path) {
    simple(path);
    return path.text().startsWith(".");
  }

  private static void simple(Value path) {
    if (!path.text().startsWith(".")) {
      path.invalid("must be a simple json path starting with .");
    }
  }

  static void validateColumns(Value columns) {
    for (Value column : columns) {
      Value name = column.get("name");
      if (!name.filled()) {
        name.required();
      }
      Value type = column.get("type");
      if (!type.filled()) {
        type.required(COLUMN_TYPES);
      } else if (!TYPES.contains(type.text())) {
        type.invalid(COLUMN_TYPES);
      }
      Value format = column.get("format");
      if (format.filled() && !FORMATS.contains(format.text())) {
        format.invalid("must be one of byte,date,date-time,double,float,int32,int64,password");
      }
      Value path = column.get("JSONPath").holding(column.get("jsonPath").node());
      if (!path.filled()) {
        path.required();
      } else {
        simple(path);
      }
    }
  }

  /**
   * Validates the selectable fields of a version, or of all.
   *
   * @param missing the detail if there is no schema
   */
  static void validateSelectableFields(Parts parts, String missing) {
    Value fields = parts.selectableFields();
    if (fields.size() == 0) {
      return;
    }
    if (!(parts.root().node() instanceof MapNode schema)) {
      fields.invalid("", missing);
      return;
    }
    String problem = StructuralForm.problem(schema);
    if (!problem.isEmpty()) {
      parts.at().get("schema", "openAPIV3Schema").invalid("", problem);
      return;
    }
    Set<String> unique = new LinkedHashSet<>();
    for (Value field : fields) {
      selectableField(field.get("jsonPath"), schema, unique);
    }
    if (unique.size() > MOST_SELECTABLE_FIELDS) {
      List<Node> shown = new ArrayList<>(unique.stream().map(Node::text).toList());
      fields.holding(new Node.Items(shown)).tooMany(MOST_SELECTABLE_FIELDS);
    }
  }

  private static void selectableField(Value path, MapNode schema, Set<String> unique) {
    if (!path.filled()) {
      path.required();
      return;
    }
    try {
      Target target = SchemaPaths.resolve(path.text(), schema, Brackets.FORBIDDEN);
      if (target.startsAt("metadata")) {
        path.invalid("must not point to fields in metadata");
      }
      MapNode found = target.schema();
      String type = found == null ? "" : found.text("type");
      if (!type.equals("string") && !type.equals("boolean") && !type.equals("integer")) {
        path.invalid(
            "must point to a field of type string, boolean or integer. Enum string fields and"
                + " strings with formats are allowed.");
      }
      if (!unique.add(target.path())) {
        path.duplicate();
      }
    } catch (InvalidPathException e) {
      path.invalid("is an invalid path: " + e.problem());
    }
  }
}
