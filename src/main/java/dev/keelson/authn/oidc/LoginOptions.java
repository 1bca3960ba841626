package dev.keelson.authn.oidc;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The OAuth 2.0 client by which browsers log in, as configured by the {@code --console-oidc-*}
 * flags.
 *
 * @param clientId the client ID at the provider
 * @param secretFile the file with the client's secret; null for a public client
 * @param extraScopes requested scopes beside {@code openid}
 */
public record LoginOptions(String clientId, @Nullable Path secretFile, List<String> extraScopes) {

  public LoginOptions {
    extraScopes = List.copyOf(extraScopes);
  }
}
