package dev.keelson.admission.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.quota.ResourceList;
import dev.keelson.quota.ScopeRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A type whose consumption needs a covering quota (source: {@code ResourceQuotaConfiguration} of
 * the admission configuration file).
 *
 * @param resource the type
 * @param matchContains parts of the names of limited quota resources
 * @param matchScopes scopes in which objects need a quota of that scope
 */
public record LimitedResource(
    GroupResource resource, List<String> matchContains, List<ScopeRequirement> matchScopes) {

  /** The kinds of configurations by their API versions. */
  public static final Map<String, String> KINDS =
      Map.of(
          "apiserver.config.k8s.io/v1",
          "ResourceQuotaConfiguration",
          "resourcequota.admission.k8s.io/v1beta1",
          "Configuration",
          "resourcequota.admission.k8s.io/v1alpha1",
          "Configuration");

  public LimitedResource {
    matchContains = List.copyOf(matchContains);
    matchScopes = List.copyOf(matchScopes);
  }

  /**
   * Returns the {@code limitedResources} of a ResourceQuotaConfiguration.
   *
   * @throws IllegalArgumentException if an entry names no resource
   */
  public static List<LimitedResource> ofConfiguration(MapNode configuration) {
    List<LimitedResource> all = new ArrayList<>();
    for (MapNode entry : configuration.maps("limitedResources")) {
      if (entry.text("resource").isEmpty()) {
        throw new IllegalArgumentException(
            "limitedResources[" + all.size() + "].resource: Required value");
      }
      List<String> parts = new ArrayList<>();
      for (Node part : entry.items("matchContains")) {
        if (part instanceof Node.Text text) {
          parts.add(text.value());
        }
      }
      all.add(
          new LimitedResource(
              new GroupResource(entry.text("apiGroup"), entry.text("resource")),
              parts,
              entry.maps("matchScopes").stream().map(ScopeRequirement::of).toList()));
    }
    return all;
  }

  /** The names of what {@code usage} consumes and this limits. */
  List<String> limited(ResourceList usage) {
    return usage.amounts().entrySet().stream()
        .filter(entry -> entry.getValue().signum() > 0)
        .map(Map.Entry::getKey)
        .filter(name -> matchContains.stream().anyMatch(name::contains))
        .toList();
  }
}
