package dev.keelson.authn.proxy;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trusted front proxies and the headers of the user.
 *
 * @param usernameHeaders headers of the user name; the first one present counts
 * @param uidHeaders headers of the uid; the first one present counts
 * @param groupHeaders headers of the groups; every value counts
 * @param extraPrefixes prefixes of the headers with extra values
 * @param clientCaFile CA certificates in PEM for the proxy's client certificate; null if they come
 *     from another source
 * @param allowedNames the allowed CommonNames of its certificate; empty for any
 */
public record RequestHeaderOptions(
    List<String> usernameHeaders,
    List<String> uidHeaders,
    List<String> groupHeaders,
    List<String> extraPrefixes,
    @Nullable Path clientCaFile,
    List<String> allowedNames) {

  public RequestHeaderOptions {
    usernameHeaders = List.copyOf(usernameHeaders);
    uidHeaders = List.copyOf(uidHeaders);
    groupHeaders = List.copyOf(groupHeaders);
    extraPrefixes = List.copyOf(extraPrefixes);
    allowedNames = List.copyOf(allowedNames);
  }
}
