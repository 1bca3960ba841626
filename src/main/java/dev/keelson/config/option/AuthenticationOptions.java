package dev.keelson.config.option;

import dev.keelson.authn.oidc.LoginOptions;
import dev.keelson.authn.oidc.OidcOptions;
import dev.keelson.authn.proxy.RequestHeaderOptions;
import dev.keelson.authn.serviceaccount.ServiceAccountOptions;
import dev.keelson.authn.webhook.WebhookOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of authentication.
 *
 * @param anonymous whether anonymous requests are enabled
 * @param anonymousGiven whether that was set, so that a configuration file must not set it as well
 * @param clientCaFile client CAs in PEM in addition to the server's own, or null
 * @param tokenFile the token file, or null
 * @param basicFile the password file, or null
 * @param bootstrapTokens whether bootstrap tokens are enabled
 * @param apiAudiences the audiences of the API
 * @param serviceAccounts the options of service account tokens
 * @param oidc the OpenID Connect provider, or null
 * @param configFile an AuthenticationConfiguration, or null
 * @param login the client by which browsers log in at a provider, or null
 * @param proxy the front proxy, or null
 * @param webhook the token webhook, or null
 * @param delegation the delegated authentication, or null
 */
public record AuthenticationOptions(
    boolean anonymous,
    boolean anonymousGiven,
    @Nullable Path clientCaFile,
    @Nullable Path tokenFile,
    @Nullable Path basicFile,
    boolean bootstrapTokens,
    List<String> apiAudiences,
    ServiceAccountOptions serviceAccounts,
    @Nullable OidcOptions oidc,
    @Nullable Path configFile,
    @Nullable LoginOptions login,
    @Nullable RequestHeaderOptions proxy,
    @Nullable WebhookOptions webhook,
    @Nullable DelegatedAuthentication delegation) {

  public AuthenticationOptions {
    apiAudiences = List.copyOf(apiAudiences);
  }
}
