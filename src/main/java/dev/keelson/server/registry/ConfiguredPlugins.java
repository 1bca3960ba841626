package dev.keelson.server.registry;

import dev.keelson.admission.Admission;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.eventlimit.EventRateLimit;
import dev.keelson.admission.eventlimit.EventRateLimitConfiguration;
import dev.keelson.admission.imagepolicy.ImagePolicyConfiguration;
import dev.keelson.admission.imagepolicy.ImagePolicyWebhook;
import dev.keelson.admission.plugin.PluginName;
import dev.keelson.admission.plugin.PluginOptions;
import dev.keelson.admission.plugin.garbage.OwnerReferencesPermissionEnforcement;
import dev.keelson.admission.plugin.pod.PodNodeSelector;
import dev.keelson.admission.plugin.pod.PodTolerationRestriction;
import dev.keelson.admission.podsecurity.PodSecurity;
import dev.keelson.admission.podsecurity.PodSecurityConfiguration;
import dev.keelson.admission.podsecurity.PodSecurityMetrics;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.webhook.ReviewService;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.server.lifecycle.StartupException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Creates the admission plugins that have a configuration of their own or need more than lookups.
 *
 * @param options the plugins that are enabled, with their configurations
 * @param objects lookups
 * @param authorizer authorizes additional verbs
 * @param catalog the resources that are served
 * @param clock tells when cached decisions expire
 * @param kubeconfigs makes a client of the server of a kubeconfig
 */
public record ConfiguredPlugins(
    PluginOptions options,
    ClusterObjects objects,
    Authorizer authorizer,
    ResourceCatalog catalog,
    InstantSource clock,
    Function<Path, ReviewService> kubeconfigs) {

  /**
   * Creates the plugins that are enabled.
   *
   * @throws StartupException if a configuration is invalid
   */
  public Map<PluginName, Admission> create(PodSecurityMetrics metrics) {
    Map<PluginName, Admission> plugins = new EnumMap<>(PluginName.class);
    add(plugins, PluginName.POD_SECURITY, config -> podSecurity(config, metrics));
    add(plugins, PluginName.POD_NODE_SELECTOR, config -> new PodNodeSelector(objects, config));
    add(
        plugins,
        PluginName.POD_TOLERATION_RESTRICTION,
        config -> new PodTolerationRestriction(objects, config));
    add(
        plugins,
        PluginName.EVENT_RATE_LIMIT,
        config -> new EventRateLimit(EventRateLimitConfiguration.of(config), System::nanoTime));
    add(
        plugins,
        PluginName.OWNER_REFERENCES_PERMISSION_ENFORCEMENT,
        _ -> new OwnerReferencesPermissionEnforcement(authorizer, catalog));
    add(plugins, PluginName.IMAGE_POLICY_WEBHOOK, this::imagePolicy);
    return plugins;
  }

  private void add(
      Map<PluginName, Admission> plugins, PluginName name, Function<MapNode, Admission> plugin) {
    if (options.enabled().contains(name)) {
      try {
        plugins.put(name, plugin.apply(content(name)));
      } catch (IllegalArgumentException e) {
        throw new StartupException(
            "couldn't init admission plugin \"" + name.text() + "\": " + e.getMessage(), e);
      }
    }
  }

  private MapNode content(PluginName name) {
    return options
        .configuration(name)
        .map(
            given ->
                name == PluginName.POD_TOLERATION_RESTRICTION
                    ? given.content(PodTolerationRestriction.KINDS)
                    : given.content())
        .orElse(MapNode.EMPTY);
  }

  private PodSecurity podSecurity(MapNode config, PodSecurityMetrics metrics) {
    return new PodSecurity(objects, PodSecurityConfiguration.of(config), metrics, System::nanoTime);
  }

  private ImagePolicyWebhook imagePolicy(MapNode config) {
    ImagePolicyConfiguration policy = ImagePolicyConfiguration.of(config);
    Path kubeconfig =
        options
            .configuration(PluginName.IMAGE_POLICY_WEBHOOK)
            .map(known -> known.resolve(policy.kubeConfigFile()))
            .filter(path -> !policy.kubeConfigFile().isEmpty())
            .orElseThrow(
                () -> new IllegalArgumentException("imagePolicy.kubeConfigFile is required"));
    return new ImagePolicyWebhook(policy, kubeconfigs.apply(kubeconfig), clock);
  }
}
