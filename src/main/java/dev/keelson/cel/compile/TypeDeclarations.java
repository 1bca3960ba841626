package dev.keelson.cel.compile;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.WrapperMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects the types of data for compilers. Used by one thread. */
public final class TypeDeclarations {

  private final Map<String, CelType> structs = new HashMap<>();

  /** What is declared until now, for a compiler. */
  public CelTypeProvider provider() {
    return new Declared(ImmutableMap.copyOf(structs));
  }

  /** Declares a type with all its parts and returns CEL's. */
  public CelType declare(DataType type) {
    return switch (type.kind()) {
      case DYN -> SimpleType.DYN;
      case BOOL -> SimpleType.BOOL;
      case INT -> SimpleType.INT;
      case DOUBLE -> SimpleType.DOUBLE;
      case STRING -> SimpleType.STRING;
      case BYTES -> SimpleType.BYTES;
      case DURATION -> SimpleType.DURATION;
      case DATE, DATE_TIME -> SimpleType.TIMESTAMP;
      case LIST -> ListType.create(part(type.element()));
      case MAP -> MapType.create(SimpleType.STRING, part(type.element()));
      case OBJECT -> struct(type);
    };
  }

  private CelType part(@Nullable DataType type) {
    return type == null ? SimpleType.DYN : declare(type);
  }

  private CelType struct(DataType type) {
    if (!structs.containsKey(type.name())) {
      ImmutableMap.Builder<String, CelType> collected = ImmutableMap.builder();
      type.fields().forEach((name, field) -> collected.put(name, declare(field)));
      ImmutableMap<String, CelType> fields = collected.buildOrThrow();
      structs.put(
          type.name(),
          StructType.create(
              type.name(), fields.keySet(), name -> Optional.ofNullable(fields.get(name))));
    }
    return StructTypeReference.create(type.name());
  }

  private record Declared(ImmutableMap<String, CelType> structs) implements CelTypeProvider {
    @Override
    public ImmutableCollection<CelType> types() {
      return structs.values();
    }

    @Override
    public Optional<CelType> findType(String name) {
      return wellKnown(name).or(() -> Optional.ofNullable(structs.get(name)));
    }
  }

  /** The types of libraries that expressions can name. */
  public static Optional<CelType> wellKnown(String name) {
    return switch (name) {
      case "google.protobuf.Timestamp" -> Optional.of(SimpleType.TIMESTAMP);
      case "google.protobuf.Duration" -> Optional.of(SimpleType.DURATION);
      case "optional_type" -> Optional.of(OptionalType.create(SimpleType.DYN));
      case "net.IP", "net.CIDR" -> Optional.of(OpaqueType.create(name));
      default -> WrapperMessage.of(name).map(WrapperMessage::type);
    };
  }
}
