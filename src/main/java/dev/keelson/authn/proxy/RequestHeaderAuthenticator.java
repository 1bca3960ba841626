package dev.keelson.authn.proxy;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.request.UserInfo;
import dev.keelson.value.PercentEncoding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticates users by the headers of an authenticating front proxy ({@code --requestheader-*}),
 * which must present a client certificate of the configured CA. Without one the headers are
 * ignored.
 */
public final class RequestHeaderAuthenticator implements Authenticator {

  private final RequestHeaderOptions options;
  private final Authenticator certificates;

  /**
   * @param certificates authenticates the proxy: its CommonName is the user name
   */
  public RequestHeaderAuthenticator(RequestHeaderOptions options, Authenticator certificates) {
    this.options = options;
    this.certificates = certificates;
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    String name = first(credentials, options.usernameHeaders());
    if (name.isEmpty() || credentials.certificates().isEmpty()) {
      return new Authentication.NoOpinion();
    }
    return switch (certificates.authenticate(credentials)) {
      case Authentication.Authenticated proxy -> user(proxy.user().name(), name, credentials);
      case Authentication.Rejected rejected ->
          new Authentication.Rejected("front proxy: " + rejected.reason());
      case Authentication.NoOpinion other -> other;
    };
  }

  private Authentication user(String proxy, String name, Credentials credentials) {
    if (!options.allowedNames().isEmpty() && !options.allowedNames().contains(proxy)) {
      return new Authentication.Rejected(
          "front proxy: \"" + proxy + "\" is not in the allowed list");
    }
    List<String> groups = new ArrayList<>();
    for (String header : options.groupHeaders()) {
      credentials.header(header).stream().filter(group -> !group.isEmpty()).forEach(groups::add);
    }
    return new Authentication.Authenticated(
        new UserInfo(name, first(credentials, options.uidHeaders()), groups, extra(credentials)));
  }

  private Map<String, List<String>> extra(Credentials credentials) {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    for (String prefix : options.extraPrefixes()) {
      String start = prefix.toLowerCase(Locale.ROOT);
      credentials
          .headers()
          .forEach(
              (header, values) -> {
                if (header.startsWith(start)) {
                  extra
                      .computeIfAbsent(
                          PercentEncoding.decodeOrKeep(header.substring(start.length())),
                          _ -> new ArrayList<>())
                      .addAll(values);
                }
              });
    }
    return extra;
  }

  private static String first(Credentials credentials, List<String> headers) {
    Optional<String> found =
        headers.stream()
            .flatMap(header -> credentials.header(header).stream().limit(1))
            .filter(value -> !value.isEmpty())
            .findFirst();
    return found.orElse("");
  }
}
