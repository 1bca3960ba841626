package dev.keelson.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The objects that an environment declares, as the library's compiler asks for them. */
final class DeclaredTypes implements CelTypeProvider {

  private final Map<String, CelType> structs = new LinkedHashMap<>();

  DeclaredTypes(Map<String, ValueType> variables) {
    variables.values().forEach(this::collect);
  }

  private void collect(ValueType type) {
    switch (type) {
      case ValueType.Simple simple -> {
        // has no parts
      }
      case ValueType.ListOf list -> collect(list.item());
      case ValueType.MapOf map -> collect(map.value());
      case ValueType.Struct struct -> {
        struct.fields().values().forEach(this::collect);
        structs.put(
            struct.name(),
            StructType.create(
                struct.name(),
                ImmutableSet.copyOf(struct.fields().keySet()),
                field -> Optional.ofNullable(struct.fields().get(field)).map(DeclaredTypes::of)));
      }
    }
  }

  /** The library's word for a type. */
  static CelType of(ValueType type) {
    return switch (type) {
      case ValueType.Simple simple ->
          switch (simple) {
            case BOOL -> SimpleType.BOOL;
            case INT -> SimpleType.INT;
            case TEXT -> SimpleType.STRING;
            case ANY -> SimpleType.DYN;
          };
      case ValueType.ListOf list -> ListType.create(of(list.item()));
      case ValueType.MapOf map -> MapType.create(SimpleType.STRING, of(map.value()));
      case ValueType.Struct struct -> StructTypeReference.create(struct.name());
    };
  }

  @Override
  public ImmutableList<CelType> types() {
    return ImmutableList.copyOf(structs.values());
  }

  @Override
  public Optional<CelType> findType(String name) {
    return Optional.ofNullable(structs.get(name));
  }
}
