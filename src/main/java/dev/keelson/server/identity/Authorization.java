package dev.keelson.server.identity;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.AuthorizerMetrics;
import dev.keelson.authz.node.GraphSource;
import dev.keelson.authz.node.NodeAuthorizer;
import dev.keelson.authz.rbac.ClusterRoleAggregation;
import dev.keelson.authz.rbac.DefaultRoles;
import dev.keelson.authz.rbac.EscalationCheck;
import dev.keelson.authz.rbac.RbacAuthorizer;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.authz.rbac.RoleStore;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.lifecycle.FileReloader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The authorizers, the escalation check, and the controller of default and aggregated roles. */
public final class Authorization implements AutoCloseable {

  private static final String DEFAULTS = "/keelson/default-roles.txt";
  private static final String MIGRATOR = "/keelson/storage-version-migrator-roles.txt";
  private static final String VERSION_COLLECTOR = "/keelson/storage-version-collector-roles.txt";
  private static final String RETIRED = "/keelson/retired-roles.txt";

  private final AuthorizationOptions options;
  private final boolean bodies;
  private final List<String> defaults;
  private final Feeds feeds;
  private final Set<AuthorizationOptions.Mode> modes;
  private final boolean rolesDecide;
  private final RbacAuthorizer roles;
  private final Authorizer authorizer;
  private final EscalationCheck escalation;
  private volatile @Nullable ControllerLoop loop;

  /** The reflectors of the objects that decisions depend on. */
  public record Feeds(Reflectors<RoleSource.Kind> roles, Reflectors<GraphSource.Kind> graph) {}

  /**
   * Creates the parts; reads no roles yet.
   *
   * @param bodies whether the NodeRestriction plugin is enabled
   * @param features decide which controllers have default roles
   */
  public Authorization(
      AuthorizationOptions options,
      boolean bodies,
      FeatureGates features,
      Feeds feeds,
      FileReloader files,
      AuthorizerMetrics metrics,
      InstantSource clock) {
    this.options = options;
    this.bodies = bodies;
    this.defaults = defaults(features);
    this.feeds = feeds;
    roles = new RbacAuthorizer(feeds.roles()::catchUp);
    Authorizers.Chosen chosen =
        new Authorizers(roles, new LazyAuthorizer(this::node), files, metrics, clock)
            .choose(options);
    modes = chosen.modes();
    rolesDecide = modes.contains(AuthorizationOptions.Mode.RBAC);
    authorizer = chosen.authorizer();
    escalation = new EscalationCheck(authorizer, roles);
  }

  /** Controllers of features that are off have no roles. */
  private static List<String> defaults(FeatureGates features) {
    List<String> tables = new ArrayList<>(List.of(DEFAULTS));
    if (features.on(Feature.STORAGE_VERSION_MIGRATOR)) {
      tables.add(MIGRATOR);
    }
    if (features.on(Feature.STORAGE_VERSION_API)) {
      tables.add(VERSION_COLLECTOR);
    }
    return List.copyOf(tables);
  }

  private Authorizer node() {
    return new NodeAuthorizer(
        feeds.graph()::catchUp,
        DefaultRoles.allowedBy(DefaultRoles.parse(lines(DEFAULTS)), "system:node"),
        bodies);
  }

  /** Returns the authorization modes; empty with delegated authorization. */
  public Set<AuthorizationOptions.Mode> modes() {
    return modes;
  }

  /** Returns the reflectors. */
  public Feeds feeds() {
    return feeds;
  }

  /** Returns the authorizer of requests. */
  public Authorizer authorizer() {
    return authorizer;
  }

  /** Returns the RBAC authorizer if RBAC is a mode, else null. */
  public @Nullable RbacAuthorizer decidingRoles() {
    return rolesDecide ? roles : null;
  }

  public EscalationCheck escalation() {
    return escalation;
  }

  /** Returns the paths that are always allowed. */
  public List<String> openPaths() {
    return options.alwaysAllowPaths();
  }

  /**
   * Creates the default roles and starts the controller. With mode RBAC, returns when the roles
   * exist; otherwise they are created in the background, so that they do not delay the start.
   */
  public void start(RoleStore store) {
    if (rolesDecide) {
      ensureDefaults(store);
      new ClusterRoleAggregation(roles, store).run();
    }
    RoleLoop roleLoop = new RoleLoop(store);
    ControllerLoop made = ControllerLoop.every("roles", ControllerLoop.NO_RESYNC, roleLoop::run);
    loop = made;
    Runnable unused = feeds.roles().listen(made::signal);
    made.start();
  }

  /** Aggregates cluster roles after each change, after the default roles have been created. */
  private final class RoleLoop {
    private final ClusterRoleAggregation aggregation;
    private final RoleStore store;

    /** Used by the loop alone. */
    private boolean defaultsEnsured = rolesDecide;

    RoleLoop(RoleStore store) {
      this.aggregation = new ClusterRoleAggregation(roles, store);
      this.store = store;
    }

    void run() {
      if (!defaultsEnsured) {
        ensureDefaults(store);
        defaultsEnsured = true;
      }
      aggregation.run();
    }
  }

  /** Concurrently, so that the store can group the writes. */
  private void ensureDefaults(RoleStore store) {
    DefaultRoles stored = new DefaultRoles(store);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (String table : defaults) {
        for (DefaultRoles.Default one : DefaultRoles.parse(lines(table))) {
          running.add(threads.submit(() -> stored.ensure(one)));
        }
      }
      for (DefaultRoles.Default former : DefaultRoles.parse(lines(RETIRED))) {
        running.add(threads.submit(() -> stored.retire(former)));
      }
      for (Future<?> one : running) {
        Object unused = one.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> lines(String resource) {
    try (InputStream in = Authorization.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + resource);
      }
      return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    ControllerLoop running = loop;
    if (running != null) {
      running.close();
    }
    feeds.roles().close();
    feeds.graph().close();
  }
}
