package dev.keelson.config.option;

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
 * @param anonymous whether requests without credentials are served
 * @param clientCaFile authorities in PEM for client certificates, beside the server's own; or null
 * @param tokenFile the file of static tokens, or null
 * @param basicFile the file of names and passwords, or null
 * @param bootstrapTokens whether Secrets in kube-system admit machines that join
 * @param apiAudiences the names of this API in tokens
 * @param serviceAccounts how tokens of service accounts are made and read
 * @param oidc a provider of identities, or null
 * @param configFile an AuthenticationConfiguration with providers of identities, or null
 * @param proxy a proxy that is trusted, or null
 * @param webhook a service that reviews tokens, or null
 * @param delegation another server that knows users, or null
 */
public record AuthenticationOptions(
    boolean anonymous,
    @Nullable Path clientCaFile,
    @Nullable Path tokenFile,
    @Nullable Path basicFile,
    boolean bootstrapTokens,
    List<String> apiAudiences,
    ServiceAccountOptions serviceAccounts,
    @Nullable OidcOptions oidc,
    @Nullable Path configFile,
    @Nullable RequestHeaderOptions proxy,
    @Nullable WebhookOptions webhook,
    @Nullable DelegatedAuthentication delegation) {

  public AuthenticationOptions {
    apiAudiences = List.copyOf(apiAudiences);
  }
}
