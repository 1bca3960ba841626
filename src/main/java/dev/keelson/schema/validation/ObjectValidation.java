package dev.keelson.schema.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.StructSchema;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Everything that objects of the built-in types must keep to beyond their metadata: first the rules
 * that the schema declares, then those of the type. Objects are in the stored version, after
 * defaulting. Immutable but for caches; safe for use by several threads.
 */
public final class ObjectValidation {

  private static final TypeRules NO_RULES = new TypeRules() {};

  private final SchemaRules schemaRules = new SchemaRules();
  private final Map<String, TypeRules> byKind = BuiltInRules.byGroupAndKind();

  /**
   * The rules that a new object breaks.
   *
   * @param kind the stored kind
   * @param requested the version of the request, for types whose rules differ by version
   * @param warnings takes what is allowed but most likely not meant
   */
  public List<FieldCause> ofNew(
      GroupVersionKind kind,
      GroupVersionKind requested,
      StructSchema schema,
      ApiObject object,
      Consumer<String> warnings) {
    Causes causes = new Causes(schema);
    Value root = Value.root(object.root(), causes);
    TypeRules rules = rules(kind, requested);
    schemaRules.check(root, schema);
    rules.check(root);
    rules.created(root);
    if (causes.found().isEmpty()) {
      Warnings.tell(kind, root, true, warnings);
    }
    return causes.found();
  }

  /**
   * The rules that a changed object breaks, by itself or as a change of {@code current}.
   *
   * @param subresource through which it is changed, or empty
   * @param warnings takes what is allowed but most likely not meant
   */
  public List<FieldCause> ofChanged(
      GroupVersionKind kind,
      GroupVersionKind requested,
      StructSchema schema,
      String subresource,
      ApiObject object,
      ApiObject current,
      Consumer<String> warnings) {
    Causes causes = new Causes(schema);
    Value root = Value.root(object.root(), causes);
    Value old = Value.root(current.root(), causes);
    TypeRules rules = rules(kind, requested);
    switch (subresource) {
      case "status" -> rules.statusChanged(root, old);
      case "finalize" -> rules.subresourceChanged(subresource, root, old);
      case "", "scale" -> {
        if (rules.tellsOfTheChangeFirst()) {
          rules.changed(root, old);
        }
        schemaRules.check(root, schema);
        rules.check(root);
        if (!rules.tellsOfTheChangeFirst()) {
          rules.changed(root, old);
        }
        if (causes.found().isEmpty()) {
          Warnings.tell(kind, root, false, warnings);
        }
      }
      default -> {
        schemaRules.check(root, schema);
        rules.check(root);
        rules.subresourceChanged(subresource, root, old);
      }
    }
    return causes.found();
  }

  private TypeRules rules(GroupVersionKind kind, GroupVersionKind requested) {
    // what an old group serves, and events, can be bound by other rules than the stored version
    TypeRules rules = byKind.get(requested.group() + "/" + kind.kind());
    if (rules == null) {
      rules = byKind.get(kind.group() + "/" + kind.kind());
    }
    return rules == null ? NO_RULES : rules;
  }
}
