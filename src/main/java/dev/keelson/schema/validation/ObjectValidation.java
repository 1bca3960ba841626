package dev.keelson.schema.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupKind;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Validates objects beyond their metadata: the rules that the schema declares, then those of the
 * kind. Objects are in the stored version, after defaulting. Immutable but for caches; safe for use
 * by several threads.
 *
 * <p>Validation has two passes. The first applies the declared rules all at once, which is fast and
 * enough for a valid object; it ends at the first cause. Only an object with causes takes the
 * second pass, which applies the declared rules where the rules of the kind ask for them, so that
 * causes come in Kubernetes' order.
 */
public final class ObjectValidation {

  private static final KindRules NO_RULES = new KindRules() {};

  private final DeclaredRules declared = new DeclaredRules();
  private final Function<GroupKind, @Nullable KindRules> byKind;
  private final boolean privileged;

  /**
   * Validation by the given rules.
   *
   * @param byKind returns the rules of a stored kind, null if it has none; called by several
   *     threads. A group in which only old versions are served can have rules of its own: those of
   *     the requested group come before those of the stored one. Kinds without rules are validated
   *     by their schema alone.
   */
  public ObjectValidation(Function<GroupKind, @Nullable KindRules> byKind) {
    this(byKind, /* privileged= */ true);
  }

  private ObjectValidation(Function<GroupKind, @Nullable KindRules> byKind, boolean privileged) {
    this.byKind = byKind;
    this.privileged = privileged;
  }

  /** The same validation, which rejects privileged containers. */
  public ObjectValidation withoutPrivileged() {
    return new ObjectValidation(byKind, /* privileged= */ false);
  }

  /**
   * Validates a new object and returns the causes to reject it, empty if it is valid.
   *
   * @param kind the stored kind
   * @param requested the version of the request
   * @param warnings receives the warnings about a valid object
   */
  public List<FieldCause> validateCreate(
      GroupVersionKind kind,
      GroupVersionKind requested,
      StructSchema schema,
      ApiObject object,
      Consumer<String> warnings) {
    KindRules rules = rules(kind, requested);
    List<FieldCause> causes =
        found(
            causes(rules),
            causes(rules),
            (inOrder, to) -> create(rules, schema, object, inOrder, to));
    if (causes.isEmpty()) {
      rules.warnOnCreate(Value.root(object.root(), new Causes(), schema, null), warnings);
    }
    return causes;
  }

  /** One pass. */
  private interface Pass {
    /**
     * Validates the object.
     *
     * @param inOrder the declared rules, to be applied in Kubernetes' order; null to apply them all
     *     at once
     */
    void validate(@Nullable DeclaredRules inOrder, Causes causes);
  }

  /** The causes of both passes. */
  private List<FieldCause> found(Causes first, Causes second, Pass pass) {
    try {
      pass.validate(null, first.endingAtFirst());
      return List.of();
    } catch (Causes.FoundException _) {
      pass.validate(declared, second);
    }
    if (second.count() == 0) {
      // no cause gets lost, should the second pass not come to it
      pass.validate(null, second);
    }
    return second.found();
  }

  private void create(
      KindRules rules,
      StructSchema schema,
      ApiObject object,
      @Nullable DeclaredRules inOrder,
      Causes causes) {
    Value root = Value.root(object.root(), causes, schema, inOrder);
    complete(root, schema, rules);
    rules.validateCreate(root);
    rest(root, schema, rules);
  }

  private Causes causes(KindRules rules) {
    Causes causes =
        rules.declaredOrder() == DeclaredOrder.NEVER ? Causes.repeating() : new Causes();
    return privileged ? causes : causes.withoutPrivileged();
  }

  private void complete(Value root, StructSchema schema, KindRules rules) {
    if (!isLast(root, rules) && rules.declaredOrder() != DeclaredOrder.NEVER) {
      declared.check(root, schema);
    }
    rules.validate(root);
  }

  /** Applies the declared rules for which the rules of the kind did not ask. */
  private void rest(Value root, StructSchema schema, KindRules rules) {
    if (isLast(root, rules)) {
      declared.check(root, schema);
    }
  }

  private static boolean isLast(Value root, KindRules rules) {
    return root.inOrder() && rules.declaredOrder() == DeclaredOrder.IN_PLACE;
  }

  /**
   * Validates an updated object, by itself and as a change of {@code current}, and returns the
   * causes to reject it, empty if it is valid.
   *
   * @param kind the stored kind
   * @param requested the version of the request
   * @param subresource the subresource of the request, empty for the main resource
   * @param warnings receives the warnings about a valid object
   */
  public List<FieldCause> validateUpdate(
      GroupVersionKind kind,
      GroupVersionKind requested,
      StructSchema schema,
      String subresource,
      ApiObject object,
      ApiObject current,
      Consumer<String> warnings) {
    KindRules rules = rules(kind, requested);
    List<FieldCause> causes =
        found(
            causes(rules).ofUpdate(current.root()),
            causes(rules).ofUpdate(current.root()),
            (inOrder, to) -> update(rules, schema, subresource, object, current, inOrder, to));
    if (causes.isEmpty()) {
      Value root = Value.root(object.root(), new Causes(), schema, null);
      switch (subresource) {
        case "", "scale" ->
            rules.warnOnUpdate(
                root, Value.root(current.root(), new Causes(), schema, null), warnings);
        case "status" -> rules.warnOnStatusUpdate(root, warnings);
        default -> {}
      }
    }
    return causes;
  }

  private void update(
      KindRules rules,
      StructSchema schema,
      String subresource,
      ApiObject object,
      ApiObject current,
      @Nullable DeclaredRules inOrder,
      Causes causes) {
    Value root = Value.root(object.root(), causes, schema, inOrder);
    Value old = Value.root(current.root(), causes, schema, inOrder);
    switch (subresource) {
      case "status" -> rules.validateStatusUpdate(root, old);
      case "finalize" -> rules.validateSubresourceUpdate(subresource, root, old);
      case "", "scale" -> {
        if (rules.validatesUpdateFirst()) {
          rules.validateUpdate(root, old);
        }
        complete(root, schema, rules);
        if (rules.validatesUpdateTwice()) {
          causes.repeat(0, causes.count());
        }
        if (!rules.validatesUpdateFirst()) {
          rules.validateUpdate(root, old);
        }
        rest(root, schema, rules);
      }
      default -> {
        complete(root, schema, rules);
        rules.validateSubresourceUpdate(subresource, root, old);
        rest(root, schema, rules);
      }
    }
  }

  private KindRules rules(GroupVersionKind kind, GroupVersionKind requested) {
    KindRules rules = byKind.apply(new GroupKind(requested.group(), kind.kind()));
    if (rules == null) {
      rules = byKind.apply(new GroupKind(kind.group(), kind.kind()));
    }
    return rules == null ? NO_RULES : rules;
  }
}
