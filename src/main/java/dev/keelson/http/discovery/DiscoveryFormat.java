package dev.keelson.http.discovery;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.media.MediaType;
import java.util.Set;

/** The forms that a discovery document has; KEP-3352 brought the aggregated ones. */
enum DiscoveryFormat {
  /** One document a group version. */
  PLAIN("", "application/json"),
  /** Everything in one document. */
  V2("v2", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"),
  /** The same for kubectl 1.26 to 1.29. */
  V2BETA1("v2beta1", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList");

  private final String version;
  private final String contentType;

  DiscoveryFormat(String version, String contentType) {
    this.version = version;
    this.contentType = contentType;
  }

  /** The version of the group {@code apidiscovery.k8s.io}; empty for the plain form. */
  String version() {
    return version;
  }

  String contentType() {
    return contentType;
  }

  /**
   * The form of {@code offered} that the client likes best. Parameters may stand in any order, and
   * others than g, v and as (such as profile) are ignored.
   *
   * @throws ApiException NotAcceptable if it likes none
   */
  static DiscoveryFormat choose(String accept, Set<DiscoveryFormat> offered) {
    for (MediaType range : MediaType.wanted(accept)) {
      for (DiscoveryFormat format : values()) {
        if (offered.contains(format) && format.fits(range)) {
          return format;
        }
      }
    }
    throw new ApiException(
        Reason.NOT_ACCEPTABLE,
        "only the following media types are accepted: "
            + String.join(
                ", ", offered.stream().sorted().map(DiscoveryFormat::contentType).toList()));
  }

  private boolean fits(MediaType range) {
    if (!range.includes("application", "json")) {
      return false;
    }
    String as = range.parameter("as");
    if (this == PLAIN || as.isEmpty()) {
      return this == PLAIN && as.isEmpty();
    }
    return as.equals("APIGroupDiscoveryList")
        && range.parameter("g").equals("apidiscovery.k8s.io")
        && range.parameter("v").equals(version);
  }
}
