package dev.keelson.server.identity;

import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.AuthorizationOptions.Mode;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.AuthorizerMetrics;
import dev.keelson.authz.CountedAuthorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.authz.UnionAuthorizer;
import dev.keelson.authz.abac.AbacAuthorizer;
import dev.keelson.authz.rbac.RbacAuthorizer;
import dev.keelson.authz.webhook.MatchConditions;
import dev.keelson.authz.webhook.WebhookAuthorizer;
import dev.keelson.authz.webhook.WebhookAuthorizer.OnFailure;
import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.server.identity.configuration.AuthorizationConfiguration;
import dev.keelson.server.identity.configuration.AuthorizationConfiguration.Entry;
import dev.keelson.server.identity.configuration.ConfiguredWebhook;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds the union of authorizers from the options and rebuilds it when its files change. A request
 * is authorized by one union.
 */
final class Authorizers {

  /** The default timeout of webhook requests. */
  private static final Duration WEBHOOK_TIMEOUT = Duration.ofSeconds(30);

  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

  private static final String CONFIG = "--authorization-config";
  private static final String POLICIES = "--authorization-policy-file";

  private final Map<Mode, Authorizer> local = new EnumMap<>(Mode.class);
  private final FileReloader files;
  private final AuthorizerMetrics metrics;
  private final InstantSource clock;

  /**
   * @param roles the RBAC authorizer
   * @param node the node authorizer
   * @param files reloads files
   */
  Authorizers(
      RbacAuthorizer roles,
      Authorizer node,
      FileReloader files,
      AuthorizerMetrics metrics,
      InstantSource clock) {
    this.files = files;
    this.metrics = metrics;
    this.clock = clock;
    local.put(Mode.ALWAYS_ALLOW, AlwaysAuthorizer.ALWAYS_ALLOW);
    local.put(Mode.ALWAYS_DENY, AlwaysAuthorizer.ALWAYS_DENY);
    local.put(Mode.RBAC, roles);
    local.put(Mode.NODE, node);
  }

  /**
   * The configured authorizer.
   *
   * @param modes the authorization modes; a changed file may only add or remove webhooks
   */
  record Chosen(Authorizer authorizer, Set<Mode> modes) {}

  /** Delegates to the authorizer of the current file content. */
  private record Reloaded(FileReloader.Current<? extends Authorizer> current)
      implements Authorizer {
    @Override
    public Decision authorize(Attributes attributes) {
      return current.get().authorize(attributes);
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      return current.get().rules(user, namespace);
    }
  }

  /**
   * Builds the union.
   *
   * @throws StartupException naming the flag with the invalid file
   */
  Chosen choose(AuthorizationOptions options) {
    AuthorizationOptions.Webhook delegate = options.delegate();
    if (delegate != null) {
      return new Chosen(new UnionAuthorizer(List.of(other(delegate, files, clock))), Set.of());
    }
    Path policies = options.policyFile();
    Path config = options.configFile();
    if (config == null) {
      if (policies != null) {
        local.put(Mode.ABAC, abac(policies));
      }
      List<Authorizer> chain = new ArrayList<>();
      for (Mode mode : options.modes()) {
        chain.add(counted(ofFlags(mode, options.webhook()), mode, nameOf(mode)));
      }
      return new Chosen(new UnionAuthorizer(chain), Set.copyOf(options.modes()));
    }
    return ofFile(config, policies);
  }

  private Authorizer ofFlags(Mode mode, AuthorizationOptions.@Nullable Webhook hook) {
    if (mode != Mode.WEBHOOK) {
      return known(mode);
    }
    if (hook == null) {
      throw new IllegalArgumentException("Webhook without a configuration");
    }
    ConfiguredWebhook asked =
        new ConfiguredWebhook(
            hook.config(),
            WEBHOOK_TIMEOUT,
            new Terms(
                hook.version(),
                hook.authorizedTtl(),
                hook.unauthorizedTtl(),
                OnFailure.NO_OPINION,
                MatchConditions.NONE));
    // a new authorizer starts with an empty cache
    return new Reloaded(
        files.follow(
            "--authorization-webhook-config-file",
            hook.config(),
            source -> webhook(source, asked, nameOf(mode))));
  }

  private Chosen ofFile(Path config, @Nullable Path policies) {
    if (policies != null) {
      local.put(Mode.ABAC, abac(policies));
    }
    Set<Mode> fixed = EnumSet.noneOf(Mode.class);
    FileReloader.Current<UnionAuthorizer> chain =
        files.follow(
            CONFIG,
            config,
            source -> {
              List<Entry> entries = AuthorizationConfiguration.parse(source.read(config));
              Set<Mode> modes = modes(entries);
              if (fixed.isEmpty()) {
                fixed.addAll(modes);
              }
              checkUnchanged(fixed, modes);
              return chain(entries, source);
            });
    if (policies != null && !fixed.contains(Mode.ABAC)) {
      throw new StartupException(POLICIES + " needs an authorizer of type ABAC in " + CONFIG, null);
    }
    return new Chosen(new Reloaded(chain), Set.copyOf(fixed));
  }

  private static Set<Mode> modes(List<Entry> entries) {
    Set<Mode> modes = EnumSet.noneOf(Mode.class);
    entries.forEach(entry -> modes.add(entry.mode()));
    return modes;
  }

  /** As in Kubernetes, only webhooks can be added or removed while the server runs. */
  private static void checkUnchanged(Set<Mode> fixed, Set<Mode> modes) {
    for (Mode mode : Mode.values()) {
      if (mode != Mode.WEBHOOK && fixed.contains(mode) != modes.contains(mode)) {
        throw new IllegalArgumentException(
            "authorizers: one of type "
                + mode.word()
                + " cannot be added or removed while the server runs");
      }
    }
  }

  private UnionAuthorizer chain(List<Entry> entries, FileReloader.Source source) {
    List<Authorizer> chain = new ArrayList<>();
    for (Entry entry : entries) {
      ConfiguredWebhook webhook = entry.webhook();
      Authorizer one =
          webhook == null ? known(entry.mode()) : webhook(source, webhook, entry.name());
      chain.add(counted(one, entry.mode(), entry.name()));
    }
    return new UnionAuthorizer(chain);
  }

  private Authorizer known(Mode mode) {
    Authorizer authorizer = local.get(mode);
    if (authorizer == null) {
      throw new IllegalArgumentException(mode.word() + " needs " + POLICIES);
    }
    return authorizer;
  }

  private Authorizer counted(Authorizer authorizer, Mode mode, String name) {
    return new CountedAuthorizer(authorizer, mode.word(), name, metrics);
  }

  private static String nameOf(Mode mode) {
    return mode.word().toLowerCase(Locale.ROOT);
  }

  private WebhookAuthorizer webhook(
      FileReloader.Source source, ConfiguredWebhook asked, String name) {
    RemoteKubeconfig remote = RemoteKubeconfig.parse(source, asked.kubeconfig(), asked.timeout());
    return new WebhookAuthorizer(
        new WebhookClient(() -> remote), asked.terms(), name, metrics, clock);
  }

  /** Creates the authorizer that delegates to another API server. */
  static Authorizer other(
      AuthorizationOptions.Webhook delegate, FileReloader files, InstantSource clock) {
    return new WebhookAuthorizer(
        new WebhookClient(
            RemoteKubeconfig.follow(
                files, "--authorization-kubeconfig", delegate.config(), WEBHOOK_TIMEOUT),
            remote -> remote.at(REVIEWS)),
        new Terms(
            delegate.version(),
            delegate.authorizedTtl(),
            delegate.unauthorizedTtl(),
            OnFailure.NO_OPINION,
            MatchConditions.NONE),
        clock);
  }

  private Authorizer abac(Path file) {
    return new Reloaded(
        files.follow(
            POLICIES,
            file,
            source -> AbacAuthorizer.parse(source.read(file), Authorizers::object)));
  }

  private static MapNode object(String json) {
    try {
      if (ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8)) instanceof MapNode map) {
        return map;
      }
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
    throw new IllegalArgumentException("expected an object");
  }
}
