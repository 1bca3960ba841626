package dev.keelson.config;

import dev.keelson.authn.webhook.WebhookOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.AuthenticationOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags of authentication. */
final class AuthenticationFlags {

  private final Flag<Boolean> anonymous;
  private final Flag<@Nullable Path> clientCaFile;
  private final Flag<@Nullable Path> tokenFile;
  private final Flag<@Nullable Path> basicFile;
  private final Flag<Boolean> bootstrapTokens;
  private final Flag<List<String>> apiAudiences;
  private final Flag<@Nullable Path> webhookFile;
  private final Flag<String> webhookVersion;
  private final Flag<Duration> webhookTtl;
  private final ServiceAccountFlags serviceAccounts;
  private final OidcFlags oidc;
  private final Flag<@Nullable Path> configFile;
  private final ProxyFlags proxy;
  private final DelegationFlags delegation;

  AuthenticationFlags(FlagGroup group) {
    anonymous =
        group.toggle(
            "anonymous-auth",
            true,
            "Serve requests without credentials as user system:anonymous of group"
                + " system:unauthenticated.");
    clientCaFile =
        group.optional(
            "client-ca-file",
            "FILE",
            "Certificate authorities in PEM whose client certificates are accepted: the"
                + " CommonName is the user name, each Organization a group. The server's own"
                + " authority is always accepted.",
            Values::path);
    tokenFile =
        group.optional(
            "token-auth-file",
            "FILE",
            "File with static bearer tokens, one per line: token,user,uid,\"group1,group2\".",
            Values::path);
    basicFile =
        group.optional(
            "basic-auth-file",
            "FILE",
            "File with user names and passwords for HTTP basic authentication, one per line:"
                + " password,user,uid,\"group1,group2\".",
            Values::path);
    bootstrapTokens =
        group.toggle(
            "enable-bootstrap-token-auth",
            false,
            "Accept Secrets of type bootstrap.kubernetes.io/token in kube-system as bearer"
                + " tokens, for machines that join the cluster.");
    apiAudiences =
        group.list(
            "api-audiences",
            "NAME",
            "Audiences of this API; a token must name at least one of them. Defaults to the"
                + " service account issuers.",
            Values::text);
    webhookFile =
        group.optional(
            "authentication-token-webhook-config-file",
            "FILE",
            "Kubeconfig of a webhook that authenticates bearer tokens.",
            Values::path);
    webhookVersion =
        group.single(
            "authentication-token-webhook-version",
            "VERSION",
            "v1beta1",
            "API version of the TokenReview sent to the webhook: v1 or v1beta1.",
            AuthenticationFlags::reviewVersion);
    webhookTtl =
        group.single(
            "authentication-token-webhook-cache-ttl",
            "DURATION",
            "2m0s",
            "How long to cache responses of the token webhook. Responses of the server of"
                + " --authentication-kubeconfig are cached for 10s unless this flag is set.",
            Values::duration);
    serviceAccounts = new ServiceAccountFlags(group);
    oidc = new OidcFlags(group);
    configFile =
        group.optional(
            "authentication-config",
            "FILE",
            "AuthenticationConfiguration (apiserver.config.k8s.io) with any number of OpenID"
                + " Connect providers, in place of the --oidc flags, and with the paths that are"
                + " open to anonymous requests, in place of --anonymous-auth.",
            Values::path);
    proxy = new ProxyFlags(group);
    delegation = new DelegationFlags(group);
  }

  AuthenticationOptions options(Settings settings) {
    var accounts = serviceAccounts.options(settings);
    List<String> audiences = settings.value(apiAudiences);
    Path reviews = readable(settings, webhookFile);
    var provider = oidc.options(settings);
    Path config = readable(settings, configFile);
    if (config != null && provider != null) {
      throw new FlagException(
          configFile.dashed()
              + ": authentication-config file and oidc-* flags are mutually exclusive");
    }
    return new AuthenticationOptions(
        settings.value(anonymous),
        settings.has(anonymous),
        readable(settings, clientCaFile),
        readable(settings, tokenFile),
        readable(settings, basicFile),
        settings.value(bootstrapTokens),
        audiences.isEmpty() ? accounts.issuers() : audiences,
        accounts,
        provider,
        config,
        oidc.login(settings, provider != null || config != null),
        proxy.options(settings),
        reviews == null
            ? null
            : new WebhookOptions(
                reviews, settings.value(webhookVersion), settings.value(webhookTtl)),
        delegation.options(settings, webhookFile, webhookTtl, audiences));
  }

  /** One line for each setting that has no effect. */
  List<String> warnings(Settings settings) {
    return proxy.warnings(settings);
  }

  private static @Nullable Path readable(Settings settings, Flag<@Nullable Path> flag) {
    Path file = settings.value(flag);
    return file == null ? null : Checks.readable(flag, file);
  }

  private static String reviewVersion(String text) {
    if (!text.equals("v1") && !text.equals("v1beta1")) {
      throw new IllegalArgumentException("v1 or v1beta1 is expected, found \"" + text + "\"");
    }
    return text;
  }
}
