package dev.keelson.cel.type;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object that an expression constructs: {@code Object{}}, the types of its fields such as {@code
 * Object.spec{}}, and {@code JSONPatch{}} (source: apiserver/pkg/cel/mutation). Immutable.
 */
public final class ObjectValue extends AbstractMap<String, Object> {

  /** The type of whole objects; those of fields are below it. */
  public static final String OBJECT = "Object";

  /** The type of an operation of a JSON Patch. */
  public static final String JSON_PATCH = "JSONPatch";

  /** The fields of {@link #JSON_PATCH} that are strings. */
  public static final Set<String> PATCH_TEXTS = Set.of("op", "path", "from");

  private final String typeName;
  private final Map<String, Object> fields;

  private ObjectValue(String typeName, Map<String, Object> fields) {
    this.typeName = typeName;
    this.fields = new LinkedHashMap<>(fields);
  }

  /** Whether expressions may construct objects of a type. */
  public static boolean isConstructible(String typeName) {
    return typeName.equals(JSON_PATCH)
        || typeName.equals(OBJECT)
        || typeName.startsWith(OBJECT + ".");
  }

  /**
   * An object.
   *
   * @throws EvaluationError if a field of a JSON Patch has the wrong type
   */
  public static ObjectValue of(String typeName, Map<String, Object> fields) {
    if (typeName.equals(JSON_PATCH)) {
      fields.forEach(
          (name, value) -> {
            if (PATCH_TEXTS.contains(name) && !(value instanceof String)) {
              throw new EvaluationError("unexpected type for JSONPatchType '" + name + "' field");
            }
          });
    }
    return new ObjectValue(typeName, fields);
  }

  /** The name of its type. */
  public String typeName() {
    return typeName;
  }

  /** Whether a field is set; an empty string of a JSON Patch is not. */
  public boolean has(String field) {
    Object value = fields.get(field);
    return value != null
        && !(typeName.equals(JSON_PATCH) && PATCH_TEXTS.contains(field) && value.equals(""));
  }

  @Override
  public @Nullable Object get(Object key) {
    Object value = fields.get(key);
    return value == null && typeName.equals(JSON_PATCH) && PATCH_TEXTS.contains(key) ? "" : value;
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return java.util.Collections.unmodifiableMap(fields).entrySet();
  }
}
