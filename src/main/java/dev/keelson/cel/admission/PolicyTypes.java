package dev.keelson.cel.admission;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.keelson.cel.type.ObjectValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The types of a policy's environment: the declared ones, {@code variables} with the variables that
 * are compiled until now, and the types that its mutations may construct. Used by one thread.
 */
// the library's providers are shared and so immutable; this one lives as long as one compilation
@SuppressWarnings("Immutable")
final class PolicyTypes implements CelTypeProvider {

  /** The type of {@code variables}. */
  static final String VARIABLES = "kubernetes.variables";

  private final CelTypeProvider declared;
  private final Map<String, CelType> variables = new LinkedHashMap<>();

  PolicyTypes(CelTypeProvider declared) {
    this.declared = declared;
  }

  /** Adds a variable. */
  void add(String name, CelType type) {
    variables.put(name, visible(type));
  }

  /** The types of the variables until now. */
  Map<String, CelType> variables() {
    return Map.copyOf(variables);
  }

  /** A type as other expressions see it: those that are not JSON's are dynamic. */
  private static CelType visible(CelType type) {
    return switch (type) {
      case ListType list when list.hasElemType() -> ListType.create(visible(list.elemType()));
      case MapType map -> MapType.create(visible(map.keyType()), visible(map.valueType()));
      case SimpleType simple when !simple.equals(SimpleType.ERROR) -> simple;
      default -> SimpleType.DYN;
    };
  }

  /**
   * The same types, with those of mutations.
   *
   * @param fields the fields that an expression names; objects have them all
   */
  CelTypeProvider withPatchTypes(Set<String> fields) {
    return new CelTypeProvider() {
      @Override
      public ImmutableCollection<CelType> types() {
        return PolicyTypes.this.types();
      }

      @Override
      public Optional<CelType> findType(String name) {
        return ObjectValue.isConstructible(name)
            ? Optional.of(constructible(name, fields))
            : PolicyTypes.this.findType(name);
      }
    };
  }

  private static CelType constructible(String name, Set<String> fields) {
    if (!name.equals(ObjectValue.JSON_PATCH)) {
      return StructType.create(
          name, ImmutableSet.copyOf(fields), field -> Optional.of(SimpleType.DYN));
    }
    return StructType.create(
        name,
        ImmutableSet.of("op", "path", "from", "value"),
        field ->
            Optional.of(
                ObjectValue.PATCH_TEXTS.contains(field) ? SimpleType.STRING : SimpleType.DYN));
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return declared.types();
  }

  @Override
  public Optional<CelType> findType(String name) {
    if (!name.equals(VARIABLES)) {
      return declared.findType(name);
    }
    ImmutableMap<String, CelType> fields = ImmutableMap.copyOf(variables);
    return Optional.of(
        StructType.create(
            VARIABLES, fields.keySet(), field -> Optional.ofNullable(fields.get(field))));
  }
}
