package dev.keelson.admission.match;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.Subresource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Matches requests by {@code rules} or {@code resourceRules}, {@code excludeResourceRules}, {@code
 * matchPolicy}, {@code namespaceSelector} and {@code objectSelector}. Immutable; used by several
 * threads.
 */
public final class ResourceMatcher {

  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");

  private final List<ResourceRule> rules;
  private final List<ResourceRule> excluded;
  private final boolean everything;
  private final boolean equivalent;
  private final Selector namespaces;
  private final Selector objects;

  private ResourceMatcher(MapNode source, List<ResourceRule> rules, boolean everything) {
    this.rules = rules;
    this.everything = everything;
    this.excluded = ResourceRule.of(source.items("excludeResourceRules"));
    this.equivalent = source.text("matchPolicy").equals("Equivalent");
    this.namespaces = Selector.of(source.map("namespaceSelector"));
    this.objects = Selector.of(source.map("objectSelector"));
  }

  /**
   * A selector.
   *
   * @param problem why a stored selector cannot be read; empty if it can
   */
  private record Selector(LabelSelector selector, String problem) {

    static Selector of(MapNode source) {
      try {
        return new Selector(NodeSelectors.of(source), "");
      } catch (IllegalArgumentException e) {
        return new Selector(LabelSelector.EVERYTHING, String.valueOf(e.getMessage()));
      }
    }

    /** Fails a request that nothing else excludes. */
    void requireReadable() {
      if (!problem.isEmpty()) {
        throw ApiException.internal(problem, null);
      }
    }
  }

  /**
   * The matcher of {@code matchConstraints} or {@code matchResources}: without rules it matches
   * every resource.
   */
  public static ResourceMatcher ofPolicy(MapNode source) {
    List<ResourceRule> rules = ResourceRule.of(source.items("resourceRules"));
    return new ResourceMatcher(source, rules, rules.isEmpty());
  }

  /** The matcher of a webhook: without rules it matches nothing. */
  public static ResourceMatcher ofWebhook(MapNode source) {
    return new ResourceMatcher(source, ResourceRule.of(source.items("rules")), false);
  }

  /** The kind of a resource or subresource. */
  static GroupVersionKind kind(ResourceDefinition definition, String subresource) {
    Subresource part = definition.subresources().get(subresource);
    return part == null ? definition.gvk() : part.kind();
  }

  /**
   * The resource and kind by which the rules match an operation, whatever the name and labels of
   * the object; empty if they cannot match any. Depends on nothing else, so it may be kept.
   *
   * @param equivalents see {@link Equivalents#of}
   */
  public Optional<Matched> rules(
      Verb operation,
      ResourceDefinition definition,
      String subresource,
      List<Matched> equivalents) {
    Matched asked = new Matched(definition.gvr(), kind(definition, subresource));
    return everything
        ? Optional.of(asked)
        : Optional.ofNullable(
            find(
                rules,
                new Asked(operation, asked, subresource, !definition.namespaced(), null),
                equivalents));
  }

  /**
   * Matches a request.
   *
   * @param equivalents see {@link Equivalents#of}
   * @param namespaceLabels the labels of the request's namespace, called if they are needed; throws
   *     what the request is answered with if the namespace does not exist
   * @return the resource and kind by which it matches; empty if it does not
   * @throws ApiException of reason InternalError if the rules match and a stored selector cannot be
   *     read
   */
  public Optional<Matched> match(
      AdmissionAttributes call,
      List<Matched> equivalents,
      Supplier<Map<String, String>> namespaceLabels) {
    Asked asked =
        new Asked(
            call.operation(),
            new Matched(call.definition().gvr(), call.kind()),
            call.subresource(),
            !call.definition().namespaced(),
            call.name());
    if (find(excluded, asked, equivalents) != null) {
      return Optional.empty();
    }
    Matched found = everything ? asked.by : find(rules, asked, equivalents);
    return found != null && selects(call, namespaceLabels) ? Optional.of(found) : Optional.empty();
  }

  /**
   * Whether the selectors match the objects and the namespace of a request.
   *
   * @param namespaceLabels as for {@link #match}
   * @throws ApiException of reason InternalError if they do and one of them cannot be read
   */
  public boolean selects(AdmissionAttributes call, Supplier<Map<String, String>> namespaceLabels) {
    if (!selectsObject(call) || !selectsNamespace(call, namespaceLabels)) {
      return false;
    }
    if (hasNamespace(call)) {
      namespaces.requireReadable();
    }
    objects.requireReadable();
    return true;
  }

  /**
   * What rules are compared with.
   *
   * @param name the name of the object; null for any
   */
  private record Asked(
      Verb operation,
      Matched by,
      String subresource,
      boolean clusterScoped,
      @Nullable String name) {

    boolean matches(ResourceRule rule, GroupVersionResource resource) {
      return rule.covers(operation, resource, subresource, clusterScoped)
          && (name == null || rule.isFor(name));
    }
  }

  private @Nullable Matched find(List<ResourceRule> among, Asked asked, List<Matched> equivalents) {
    for (ResourceRule rule : among) {
      if (asked.matches(rule, asked.by.resource())) {
        return asked.by;
      }
    }
    if (!equivalent) {
      return null;
    }
    for (ResourceRule rule : among) {
      for (Matched other : equivalents) {
        if (asked.matches(rule, other.resource())) {
          return other;
        }
      }
    }
    return null;
  }

  private boolean selectsObject(AdmissionAttributes call) {
    // the options of a CONNECT have no labels at all: no selector but the empty one is for them
    return objects.selector.isEverything()
        || (call.operation() != Verb.CONNECT
            && (selects(call.object()) || selects(call.current())));
  }

  private boolean selects(@Nullable ApiObject object) {
    if (object == null) {
      return false;
    }
    MapNode labels = object.meta().node().map("labels");
    return objects.selector.matchesEach(
        key -> labels.get(key) instanceof Node.Text text ? text.value() : null);
  }

  /** Whether the namespace selector is for the request: not for cluster-scoped objects. */
  private static boolean hasNamespace(AdmissionAttributes call) {
    return !call.namespace().isEmpty() || call.definition().gvr().equals(NAMESPACES);
  }

  private boolean selectsNamespace(
      AdmissionAttributes call, Supplier<Map<String, String>> namespaceLabels) {
    if (namespaces.selector.isEverything() || !hasNamespace(call)) {
      return true;
    }
    ApiObject object = call.object();
    boolean own =
        call.definition().gvr().equals(NAMESPACES)
            && call.subresource().isEmpty()
            && object != null
            && (call.operation() == Verb.CREATE || call.operation() == Verb.UPDATE);
    return namespaces.selector.matches(
        own && object != null ? object.meta().labels() : namespaceLabels.get());
  }
}
