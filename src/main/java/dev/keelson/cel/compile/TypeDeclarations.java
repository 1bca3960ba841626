package dev.keelson.cel.compile;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.keelson.cel.type.DataType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The types of data for the compiler. Not changed after it is given to one. */
@SuppressWarnings("Immutable") // filled before the compiler has it
public final class TypeDeclarations implements CelTypeProvider {

  private final Map<String, CelType> structs = new HashMap<>();

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
      Map<String, CelType> fields = new HashMap<>();
      type.fields().forEach((name, field) -> fields.put(name, declare(field)));
      ImmutableMap<String, CelType> declared = ImmutableMap.copyOf(fields);
      structs.put(
          type.name(),
          StructType.create(
              type.name(), declared.keySet(), name -> Optional.ofNullable(declared.get(name))));
    }
    return StructTypeReference.create(type.name());
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return ImmutableList.copyOf(structs.values());
  }

  @Override
  public Optional<CelType> findType(String name) {
    return switch (name) {
      case "google.protobuf.Timestamp" -> Optional.of(SimpleType.TIMESTAMP);
      case "google.protobuf.Duration" -> Optional.of(SimpleType.DURATION);
      default -> Optional.ofNullable(structs.get(name));
    };
  }
}
