package dev.keelson.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.cel.compile.TypeDeclarations;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The type provider of the objects that an environment declares. */
final class DeclaredTypes implements CelTypeProvider {

  private final ImmutableMap<String, CelType> structs;

  DeclaredTypes(Map<String, ValueType> variables) {
    Map<String, CelType> found = new LinkedHashMap<>();
    variables.values().forEach(type -> collect(type, found));
    structs = ImmutableMap.copyOf(found);
  }

  private static void collect(ValueType type, Map<String, CelType> found) {
    switch (type) {
      case ValueType.Simple simple -> {
        // a simple type
      }
      case ValueType.ListOf list -> collect(list.item(), found);
      case ValueType.MapOf map -> collect(map.value(), found);
      case ValueType.Struct struct -> {
        ImmutableMap.Builder<String, CelType> fields = ImmutableMap.builder();
        struct
            .fields()
            .forEach(
                (name, field) -> {
                  collect(field, found);
                  fields.put(name, of(field));
                });
        found.put(struct.name(), struct(struct.name(), fields.buildOrThrow()));
      }
    }
  }

  private static CelType struct(String name, ImmutableMap<String, CelType> fields) {
    return StructType.create(
        name, fields.keySet(), field -> Optional.ofNullable(fields.get(field)));
  }

  /** Returns the library's type. */
  static CelType of(ValueType type) {
    return switch (type) {
      case ValueType.Simple simple ->
          switch (simple) {
            case BOOL -> SimpleType.BOOL;
            case INT -> SimpleType.INT;
            case TEXT -> SimpleType.STRING;
            case QUANTITY -> OpaqueType.create(Simple.QUANTITY.word());
            case UNKNOWN -> SimpleType.ANY;
            case ANY -> SimpleType.DYN;
          };
      case ValueType.ListOf list -> ListType.create(of(list.item()));
      case ValueType.MapOf map -> MapType.create(SimpleType.STRING, of(map.value()));
      case ValueType.Struct struct -> StructTypeReference.create(struct.name());
    };
  }

  @Override
  public ImmutableList<CelType> types() {
    return structs.values().asList();
  }

  @Override
  public Optional<CelType> findType(String name) {
    return TypeDeclarations.wellKnown(name).or(() -> Optional.ofNullable(structs.get(name)));
  }
}
