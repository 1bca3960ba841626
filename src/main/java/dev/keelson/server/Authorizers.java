package dev.keelson.server;

import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.AuthorizerChain;
import dev.keelson.authz.Fixed;
import dev.keelson.authz.abac.AbacAuthorizer;
import dev.keelson.authz.rbac.RbacAuthorizer;
import dev.keelson.authz.webhook.WebhookAuthorizer;
import dev.keelson.authz.webhook.WebhookAuthorizer.OnFailure;
import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import dev.keelson.object.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds the chain of authorizers from the options. */
final class Authorizers {

  /** How long an answer may take unless a configuration says otherwise. */
  private static final Duration WEBHOOK_TIMEOUT = Duration.ofSeconds(30);

  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

  private Authorizers() {}

  /**
   * The chain.
   *
   * @param roles decides by roles
   * @param node makes what decides for nodes
   * @param files follows the files that may change
   */
  static Authorizer chain(
      AuthorizationOptions options,
      RbacAuthorizer roles,
      Supplier<Authorizer> node,
      FileWatch files,
      InstantSource clock) {
    AuthorizationOptions.Webhook delegate = options.delegate();
    if (delegate != null) {
      return new AuthorizerChain(List.of(other(delegate, files, clock)));
    }
    List<Authorizer> authorizers = new ArrayList<>();
    for (AuthorizationConfiguration.Entry entry : entries(options)) {
      authorizers.add(
          switch (entry.mode()) {
            case ALWAYS_ALLOW -> Fixed.ALWAYS_ALLOW;
            case ALWAYS_DENY -> Fixed.ALWAYS_DENY;
            case RBAC -> roles;
            case NODE -> node.get();
            case ABAC -> policies(options.policyFile());
            case WEBHOOK -> webhook(options, entry.webhook(), files, clock);
          });
    }
    return new AuthorizerChain(authorizers);
  }

  /** The authorizers in order, from the file if there is one, else from the modes. */
  static List<AuthorizationConfiguration.Entry> entries(AuthorizationOptions options) {
    Path file = options.configFile();
    if (file != null) {
      return AuthorizationConfiguration.read(file);
    }
    AuthorizationOptions.Webhook hook = options.webhook();
    return options.modes().stream()
        .map(
            mode ->
                new AuthorizationConfiguration.Entry(
                    mode,
                    mode.word(),
                    mode == AuthorizationOptions.Mode.WEBHOOK && hook != null
                        ? new AuthorizationConfiguration.Webhook(
                            hook.config(),
                            WEBHOOK_TIMEOUT,
                            new Terms(
                                hook.version(),
                                hook.authorizedTtl(),
                                hook.unauthorizedTtl(),
                                OnFailure.NO_OPINION))
                        : null))
        .toList();
  }

  private static Authorizer webhook(
      AuthorizationOptions options,
      AuthorizationConfiguration.@Nullable Webhook webhook,
      FileWatch files,
      InstantSource clock) {
    if (webhook == null) {
      throw new IllegalArgumentException("Webhook without a configuration");
    }
    String flag =
        options.configFile() == null
            ? "--authorization-webhook-config-file"
            : "--authorization-config";
    return new WebhookAuthorizer(
        new WebhookConnection(
            RemoteConfig.follow(files, flag, webhook.kubeconfig(), webhook.timeout())),
        webhook.terms(),
        clock);
  }

  /** Another API server. */
  private static Authorizer other(
      AuthorizationOptions.Webhook delegate, FileWatch files, InstantSource clock) {
    return new WebhookAuthorizer(
        new WebhookConnection(
            RemoteConfig.follow(
                files, "--authorization-kubeconfig", delegate.config(), WEBHOOK_TIMEOUT),
            remote -> remote.at(REVIEWS)),
        new Terms(
            delegate.version(),
            delegate.authorizedTtl(),
            delegate.unauthorizedTtl(),
            OnFailure.NO_OPINION),
        clock);
  }

  private static Authorizer policies(@Nullable Path file) {
    if (file == null) {
      throw new IllegalArgumentException("ABAC without a policy file");
    }
    try {
      return AbacAuthorizer.parse(Files.readString(file), Authorizers::object);
    } catch (IOException e) {
      throw new StartException("--authorization-policy-file: cannot read " + file + ": " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartException("--authorization-policy-file: " + file + ": " + e.getMessage(), e);
    }
  }

  private static MapNode object(String json) {
    if (ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8)) instanceof MapNode map) {
      return map;
    }
    throw new IllegalArgumentException("an object is expected");
  }
}
