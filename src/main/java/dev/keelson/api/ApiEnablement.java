package dev.keelson.api;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which built-in group versions and resources are served ({@code --runtime-config}; source: package
 * {@code resourceconfig} of apiserver). What nothing is said of is served. A setting of a resource
 * precedes that of its version, which precedes the settings of all versions of one stability; of
 * those, the narrower one counts.
 *
 * @param stabilities settings of {@link #ALL}, {@link #GA}, {@link #BETA} and {@link #ALPHA}
 * @param versions settings of group versions
 * @param resources settings of single resources
 */
public record ApiEnablement(
    Map<String, Boolean> stabilities,
    Map<GroupVersion, Boolean> versions,
    Map<GroupVersionResource, Boolean> resources) {

  /** All versions. */
  public static final String ALL = "api/all";

  /** Versions of the form {@code v1}. */
  public static final String GA = "api/ga";

  /** Versions of the form {@code v1beta1}. */
  public static final String BETA = "api/beta";

  /** Versions of the form {@code v1alpha1}. */
  public static final String ALPHA = "api/alpha";

  /** Everything is served. */
  public static final ApiEnablement EVERYTHING = new ApiEnablement(Map.of(), Map.of(), Map.of());

  private static final Pattern STABLE = Pattern.compile("v\\d+");
  private static final Pattern BETA_VERSION = Pattern.compile("v\\d+beta\\d+");
  private static final Pattern ALPHA_VERSION = Pattern.compile("v\\d+alpha\\d+");

  public ApiEnablement {
    stabilities = Map.copyOf(stabilities);
    versions = Map.copyOf(versions);
    resources = Map.copyOf(resources);
  }

  /** Whether nothing is switched off. */
  public boolean isEverything() {
    return !stabilities.containsValue(false)
        && !versions.containsValue(false)
        && !resources.containsValue(false);
  }

  /** Whether a built-in resource is served that is served unless it is switched off. */
  public boolean serves(GroupVersionResource resource) {
    return serves(resource, /* byDefault= */ true);
  }

  /**
   * Whether a built-in resource is served.
   *
   * @param byDefault whether it is served if nothing is said of it
   */
  public boolean serves(GroupVersionResource resource, boolean byDefault) {
    Boolean own = resources.get(resource);
    if (own != null) {
      return own;
    }
    Boolean version = versions.get(GroupVersion.of(resource));
    if (version != null) {
      return version;
    }
    Boolean stability = stabilities.get(stability(resource.version()));
    return stability != null ? stability : stabilities.getOrDefault(ALL, byDefault);
  }

  private static String stability(String version) {
    return STABLE.matcher(version).matches()
        ? GA
        : BETA_VERSION.matcher(version).matches()
            ? BETA
            : ALPHA_VERSION.matcher(version).matches() ? ALPHA : ALL;
  }
}
