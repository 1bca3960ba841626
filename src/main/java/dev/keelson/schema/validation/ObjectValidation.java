package dev.keelson.schema.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.StructSchema;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that objects of the built-in types must keep to beyond their metadata: first the rules
 * that the schema declares, then those of the type. Objects are in the stored version, after
 * defaulting. Immutable but for caches; safe for use by several threads.
 *
 * <p>An object is looked at once, first by the declared rules, as fast as can be. Only one that
 * breaks some is looked at again, to tell of them in Kubernetes' order: there the declared rules
 * are applied where the rules of the type ask for them.
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
    TypeRules rules = rules(kind, requested);
    List<FieldCause> found = ofNew(rules, schema, object, null);
    if (!found.isEmpty()) {
      return inOrder(found, ofNew(rules, schema, object, schemaRules));
    }
    Warnings.tell(kind, Value.root(object.root(), new Causes(schema, null)), true, warnings);
    return found;
  }

  private List<FieldCause> ofNew(
      TypeRules rules, StructSchema schema, ApiObject object, @Nullable SchemaRules inOrder) {
    Causes causes = new Causes(schema, inOrder);
    Value root = Value.root(object.root(), causes);
    whole(root, schema, rules);
    rules.created(root);
    return causes.found();
  }

  /** Whatever happens to the order, what was found is not lost. */
  private static List<FieldCause> inOrder(List<FieldCause> found, List<FieldCause> ordered) {
    return ordered.isEmpty() ? found : ordered;
  }

  private void whole(Value root, StructSchema schema, TypeRules rules) {
    boolean last = root.inOrder() && rules.asksForDeclared();
    if (!last) {
      schemaRules.check(root, schema);
    }
    rules.check(root);
    if (last) {
      schemaRules.check(root, schema);
    }
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
    TypeRules rules = rules(kind, requested);
    List<FieldCause> found = ofChanged(rules, schema, subresource, object, current, null);
    if (!found.isEmpty()) {
      return inOrder(found, ofChanged(rules, schema, subresource, object, current, schemaRules));
    }
    if (subresource.isEmpty() || subresource.equals("scale")) {
      Warnings.tell(kind, Value.root(object.root(), new Causes(schema, null)), false, warnings);
    }
    return found;
  }

  private List<FieldCause> ofChanged(
      TypeRules rules,
      StructSchema schema,
      String subresource,
      ApiObject object,
      ApiObject current,
      @Nullable SchemaRules inOrder) {
    Causes causes = new Causes(schema, inOrder);
    Value root = Value.root(object.root(), causes);
    Value old = Value.root(current.root(), causes);
    switch (subresource) {
      case "status" -> rules.statusChanged(root, old);
      case "finalize" -> rules.subresourceChanged(subresource, root, old);
      case "", "scale" -> {
        if (rules.tellsOfTheChangeFirst()) {
          rules.changed(root, old);
        }
        whole(root, schema, rules);
        if (!rules.tellsOfTheChangeFirst()) {
          rules.changed(root, old);
        }
      }
      default -> {
        whole(root, schema, rules);
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
