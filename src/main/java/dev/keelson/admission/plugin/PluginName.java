package dev.keelson.admission.plugin;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The admission plugins in the order in which they run. */
public enum PluginName {
  ALWAYS_ADMIT("AlwaysAdmit", false),
  NAMESPACE_AUTO_PROVISION("NamespaceAutoProvision", false),
  /** Always enforced by the registry. */
  NAMESPACE_LIFECYCLE("NamespaceLifecycle", true),
  /** Always enforced by the registry. */
  NAMESPACE_EXISTS("NamespaceExists", false),
  LIMIT_RANGER("LimitRanger", true),
  SERVICE_ACCOUNT("ServiceAccount", true),
  NODE_RESTRICTION("NodeRestriction", false),
  ALWAYS_PULL_IMAGES("AlwaysPullImages", false),
  PRIORITY("Priority", true),
  DEFAULT_TOLERATION_SECONDS("DefaultTolerationSeconds", true),
  RUNTIME_CLASS("RuntimeClass", true),
  MUTATING_ADMISSION_WEBHOOK("MutatingAdmissionWebhook", true),
  VALIDATING_ADMISSION_WEBHOOK("ValidatingAdmissionWebhook", true),
  RESOURCE_QUOTA("ResourceQuota", true),
  ALWAYS_DENY("AlwaysDeny", false);

  private final String text;
  private final boolean byDefault;

  PluginName(String text, boolean byDefault) {
    this.text = text;
    this.byDefault = byDefault;
  }

  /** The name in Kubernetes. */
  public String text() {
    return text;
  }

  /** Returns the plugin of a name. */
  public static Optional<PluginName> of(String text) {
    return Arrays.stream(values()).filter(plugin -> plugin.text.equals(text)).findFirst();
  }

  /** The plugins that are enabled by default. */
  public static Set<PluginName> defaults() {
    EnumSet<PluginName> names = EnumSet.noneOf(PluginName.class);
    for (PluginName name : values()) {
      if (name.byDefault) {
        names.add(name);
      }
    }
    return Collections.unmodifiableSet(names);
  }
}
