package dev.keelson.http.discovery;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.media.Format;
import dev.keelson.http.media.MediaType;
import java.util.Set;

/** The forms of discovery documents: plain, and aggregated (KEP-3352). */
enum DiscoveryFormat {
  /** One document per group version. */
  PLAIN(""),
  /**
   * Everything in one document. Its former version v2beta1 is not served, as in Kubernetes from
   * 1.35 on: clients that know no other name the plain form as well.
   */
  V2("v2");

  private final String version;

  DiscoveryFormat(String version) {
    this.version = version;
  }

  /**
   * The negotiated response.
   *
   * @param form the form
   * @param format the serialization
   * @param mediaType the media type of {@code format} that the client requested
   */
  record Choice(DiscoveryFormat form, Format format, String mediaType) {

    /** The Content-Type of the response, including the form. */
    String contentType() {
      return form == PLAIN
          ? mediaType
          : mediaType + ";g=apidiscovery.k8s.io;v=" + form.version + ";as=APIGroupDiscoveryList";
    }
  }

  /** The version of the group {@code apidiscovery.k8s.io}; empty for the plain form. */
  String version() {
    return version;
  }

  /**
   * Negotiates one of {@code offered}. Parameters may have any order; others than g, v and as (such
   * as profile) are ignored.
   *
   * @throws ApiException NotAcceptable if none is acceptable
   */
  static Choice choose(String accept, Set<DiscoveryFormat> offered) {
    for (MediaType range : MediaType.wanted(accept)) {
      for (DiscoveryFormat form : values()) {
        if (offered.contains(form) && form.fits(range)) {
          for (Format format : Format.values()) {
            for (String name : format.mediaTypes()) {
              if (includes(range, name)) {
                return new Choice(form, format, name);
              }
            }
          }
        }
      }
    }
    throw new ApiException(
        Reason.NOT_ACCEPTABLE,
        "only the following media types are accepted: " + Format.listed(_ -> true, ""));
  }

  private static boolean includes(MediaType range, String mediaType) {
    int slash = mediaType.indexOf('/');
    return range.includes(mediaType.substring(0, slash), mediaType.substring(slash + 1));
  }

  private boolean fits(MediaType range) {
    String as = range.parameter("as");
    if (this == PLAIN || as.isEmpty()) {
      return this == PLAIN && as.isEmpty();
    }
    return as.equals("APIGroupDiscoveryList")
        && range.parameter("g").equals("apidiscovery.k8s.io")
        && range.parameter("v").equals(version);
  }
}
