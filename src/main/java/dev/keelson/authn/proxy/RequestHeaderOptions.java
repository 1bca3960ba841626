package dev.keelson.authn.proxy;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which proxy is trusted, and in which headers it names the user.
 *
 * @param usernameHeaders the first of these that is there has the user name
 * @param uidHeaders the first of these that is there has the uid
 * @param groupHeaders every value of these is a group
 * @param extraPrefixes what the names of headers with more about the user begin with
 * @param clientCaFile authorities in PEM, one of which must have signed the proxy's certificate;
 *     null if they come from elsewhere
 * @param allowedNames the CommonNames that its certificate may have; empty for any
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
