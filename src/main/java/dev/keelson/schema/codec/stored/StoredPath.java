package dev.keelson.schema.codec.stored;

import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where a scalar is in the stored values of a type, in JSON and in protobuf. Made once and used for
 * many values. Immutable.
 */
public final class StoredPath {

  private final byte[][] names;
  private final int @Nullable [] numbers;
  private final @Nullable Scalar type;

  private StoredPath(byte[][] names, int @Nullable [] numbers, @Nullable Scalar type) {
    this.names = names;
    this.numbers = numbers;
    this.type = type;
  }

  /**
   * A path.
   *
   * @param schema of the stored kind
   * @param dotted the names of the fields in JSON, with dots between them
   */
  public static StoredPath of(StructSchema schema, String dotted) {
    String[] steps = dotted.split("\\.", -1);
    byte[][] names = new byte[steps.length][];
    int[] numbers = new int[steps.length];
    boolean onWire = true;
    @Nullable SchemaNode node = schema;
    for (int i = 0; i < steps.length; i++) {
      names[i] = steps[i].getBytes(StandardCharsets.UTF_8);
      Field field = node instanceof StructSchema struct ? struct.field(steps[i]) : null;
      if (field == null || field.number() == 0 || !field.inlinedIn().isEmpty()) {
        onWire = false;
        node = null;
      } else {
        numbers[i] = field.number();
        node = field.type();
      }
    }
    return new StoredPath(
        names, onWire ? numbers : null, node instanceof Scalar leaf ? leaf : null);
  }

  /** The names in JSON, outermost first. */
  byte[][] names() {
    return names;
  }

  /** The numbers on the wire, outermost first; null if the wire has it elsewhere or not at all. */
  int @Nullable [] numbers() {
    return numbers;
  }

  /** The type of the value; null if it is no scalar of the schema. */
  @Nullable Scalar type() {
    return type;
  }
}
