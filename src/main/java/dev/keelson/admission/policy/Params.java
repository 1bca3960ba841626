package dev.keelson.admission.policy;

import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.match.NodeSelectors;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.LabelSelector;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the parameters of bindings. Safe for use by several threads. */
final class Params {

  /** A binding without parameters: the policy is evaluated once, without. */
  private static final List<@Nullable ApiObject> NO_PARAM =
      Collections.singletonList((@Nullable ApiObject) null);

  private final ClusterObjects objects;
  private final ResourceCatalog catalog;

  Params(ClusterObjects objects, ResourceCatalog catalog) {
    this.objects = objects;
    this.catalog = catalog;
  }

  /**
   * The resource of a policy's {@code paramKind}; null if it has none.
   *
   * @throws ConfigurationFault if the kind is not served
   */
  @Nullable ResourceDefinition resource(MapNode policy) throws ConfigurationFault {
    if (!policy.has("paramKind")) {
      return null;
    }
    MapNode kind = policy.map("paramKind");
    String apiVersion = kind.text("apiVersion");
    int slash = apiVersion.indexOf('/');
    GroupVersionKind type =
        new GroupVersionKind(
            slash < 0 ? "" : apiVersion.substring(0, slash),
            apiVersion.substring(slash + 1),
            kind.text("kind"));
    Optional<ResourceDefinition> found = catalog.current().find(type);
    if (found.isEmpty()) {
      throw new ConfigurationFault(
          "failed to find resource referenced by paramKind: '"
              + type.group()
              + "/"
              + type.version()
              + ", Kind="
              + type.kind()
              + "'");
    }
    return found.get();
  }

  /**
   * The parameters with which a binding evaluates its policy; one that is null if there are none to
   * be found.
   *
   * @param resource of the policy's {@code paramKind}; null if it has none
   * @param namespace the namespace of the request, or empty
   * @throws ConfigurationFault if they cannot be found
   */
  List<@Nullable ApiObject> of(
      @Nullable ResourceDefinition resource, MapNode binding, String namespace)
      throws ConfigurationFault {
    if (resource == null || !binding.has("paramRef")) {
      return NO_PARAM;
    }
    MapNode ref = binding.map("paramRef");
    String from = namespace(resource, ref, namespace);
    List<@Nullable ApiObject> found = new ArrayList<>();
    try {
      if (!ref.text("name").isEmpty()) {
        objects.find(resource.gvr(), from, ref.text("name")).ifPresent(found::add);
      } else {
        LabelSelector selector = selector(ref);
        for (Supplier<ApiObject> each : objects.list(resource.gvr(), from)) {
          ApiObject param = each.get();
          if (selector.matches(param.meta().labels())) {
            found.add(param);
          }
        }
      }
    } catch (ApiException e) {
      throw new ConfigurationFault(e.text());
    }
    if (found.isEmpty() && ref.text("parameterNotFoundAction").equals("Deny")) {
      throw new ConfigurationFault(
          "no params found for policy binding with `Deny` parameterNotFoundAction");
    }
    return Collections.unmodifiableList(found);
  }

  private static LabelSelector selector(MapNode ref) throws ConfigurationFault {
    try {
      return NodeSelectors.of(ref.map("selector"));
    } catch (IllegalArgumentException e) {
      throw new ConfigurationFault(String.valueOf(e.getMessage()));
    }
  }

  private static String namespace(ResourceDefinition resource, MapNode ref, String requested)
      throws ConfigurationFault {
    String named = ref.text("namespace");
    if (!resource.namespaced()) {
      if (!named.isEmpty()) {
        throw new ConfigurationFault(
            "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
      }
      return "";
    }
    String namespace = named.isEmpty() ? requested : named;
    if (namespace.isEmpty()) {
      throw new ConfigurationFault(
          "cannot use namespaced paramRef in policy binding that matches cluster-scoped"
              + " resources");
    }
    return namespace;
  }
}
