package dev.keelson.server.standalone;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.RestResourceClient;
import dev.keelson.client.rest.RestResourceClient.Reading;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.controller.Controller;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.discovery.InformedOwnership;
import dev.keelson.controller.discovery.InformedProtection;
import dev.keelson.controller.discovery.InformedQuotas;
import dev.keelson.controller.discovery.InformedRanges;
import dev.keelson.controller.discovery.MetadataInformers;
import dev.keelson.controller.discovery.ServedTypes;
import dev.keelson.controller.garbage.GarbageCollector;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.manager.ControllerFactory;
import dev.keelson.controller.namespace.NamespaceController;
import dev.keelson.controller.quota.QuotaController;
import dev.keelson.controller.service.ServiceCidrController;
import dev.keelson.controller.serviceaccount.NamespaceDefaults;
import dev.keelson.controller.serviceaccount.NamespaceDefaults.Part;
import dev.keelson.controller.storage.ProtectionController;
import dev.keelson.controller.storage.ProtectionSource;
import dev.keelson.quota.Evaluators;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The controllers that run in every server of Keelson, as clients of an API server. They follow it
 * by discovery and informers, which they share for the time of a leadership.
 */
final class ClientControllers {

  /** Whether a namespace is being deleted. */
  private static final InformerType<Boolean> NAMESPACES =
      new InformerType<>(
          Selection.metadataOf(GroupVersion.CORE_V1.resource("namespaces")),
          object -> object.meta().deleting(),
          List.of());

  private final ControllerOptions options;
  private final String authorities;

  /** Confined to the thread of the manager. */
  private @Nullable Shared shared;

  /** What the controllers of one leadership share. */
  private record Shared(ControllerContext context, ServedTypes types, MetadataInformers metadata) {}

  /** Starts a controller; it is closed by closing its parts. */
  @FunctionalInterface
  private interface Start {
    void run() throws InterruptedException;
  }

  /**
   * The controllers.
   *
   * @param authorities the certificates for pods to check the server by, in PEM; empty for none
   */
  ClientControllers(ControllerOptions options, String authorities) {
    this.options = options;
    this.authorities = authorities;
  }

  /** The enabled ones. */
  List<ControllerFactory> enabled() {
    List<ControllerFactory> all = new ArrayList<>();
    all.add(new ControllerFactory("namespace-controller", this::namespaces));
    all.add(new ControllerFactory("garbage-collector-controller", this::garbage));
    all.add(new ControllerFactory("resourcequota-controller", this::quotas));
    all.add(
        new ControllerFactory(
            "serviceaccount-controller",
            context ->
                defaults(
                    context,
                    "service-account-controller",
                    Part.SERVICE_ACCOUNT,
                    GroupVersion.CORE_V1.resource("serviceaccounts"),
                    NamespaceDefaults.ACCOUNT)));
    if (!authorities.isEmpty()) {
      all.add(
          new ControllerFactory(
              "root-ca-certificate-publisher-controller",
              context ->
                  defaults(
                      context,
                      "root-ca-cert-publisher",
                      Part.ROOT_AUTHORITIES,
                      GroupVersion.CORE_V1.resource("configmaps"),
                      NamespaceDefaults.AUTHORITIES)));
    }
    all.add(new ControllerFactory("service-cidr-controller", this::ranges));
    all.add(new ControllerFactory("persistentvolumeclaim-protection-controller", this::protection));
    return all.stream().filter(each -> options.enabled(each.name())).toList();
  }

  private Shared shared(ControllerContext context) {
    Shared known = shared;
    if (known == null || known.context() != context) {
      ServedTypes types = new ServedTypes(context.ownClient(), context.informers());
      known = new Shared(context, types, new MetadataInformers(context.ownClient(), types));
      shared = known;
    }
    return known;
  }

  private static Controller of(Start start, QueueOwner queues, AutoCloseable... parts) {
    return new Controller() {
      @Override
      public void start() throws InterruptedException {
        start.run();
      }

      @Override
      public List<WorkQueue<?>> queues() {
        return queues.queues();
      }

      @Override
      public void close() {
        for (AutoCloseable part : parts) {
          close(part);
        }
      }

      private static void close(AutoCloseable part) {
        try {
          part.close();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  /** A client whose account may read what it writes. */
  private static RestResourceClient client(Shared shared, String account) {
    ApiClient client = shared.context().client(account);
    return new RestResourceClient(client, Reading.GET, resource -> client, shared.types()::kind);
  }

  private Controller namespaces(ControllerContext context) {
    Shared all = shared(context);
    NamespaceController controller =
        new NamespaceController(
            all.types().catalog(),
            client(all, "namespace-controller"),
            context.clock(),
            all.types()::refresh);
    return of(
        () -> {
          all.types().start();
          context.informers().of(NAMESPACES).listen(whileDeleting(controller::begin));
        },
        controller,
        controller,
        all.types());
  }

  private static ObjectListener<Boolean> whileDeleting(Consumer<String> begin) {
    return new ObjectListener<>() {
      @Override
      public void added(ObjectName name, Boolean deleting) {
        if (deleting) {
          begin.accept(name.name());
        }
      }

      @Override
      public void updated(ObjectName name, Boolean before, Boolean deleting) {
        added(name, deleting);
      }

      @Override
      public void deleted(ObjectName name, Boolean deleting) {
        // nothing is left to do
      }
    };
  }

  private Controller garbage(ControllerContext context) {
    Shared all = shared(context);
    GarbageCollector controller =
        new GarbageCollector(
            all.types().catalog(),
            client(all, "generic-garbage-collector"),
            new InformedOwnership(all.types(), all.metadata()),
            context.clock());
    return of(controller::start, controller, controller, all.metadata(), all.types());
  }

  private Controller quotas(ControllerContext context) {
    Shared all = shared(context);
    ApiClient own = context.ownClient();
    ApiClient writer = context.client("resourcequota-controller");
    RestResourceClient client =
        new RestResourceClient(own, Reading.LIST, resource -> writer, all.types()::kind);
    InformedQuotas feed = new InformedQuotas(all.types(), all.metadata(), context.informers());
    QuotaController controller =
        new QuotaController(
            all.types().catalog(),
            client,
            feed,
            new Evaluators(new ListedDevices(client), context.clock()),
            new NoFences(),
            context.nanos());
    return of(
        () -> {
          feed.begin();
          controller.start();
        },
        controller,
        controller,
        all.metadata(),
        all.types());
  }

  /** One of the objects that every namespace has. */
  private Controller defaults(
      ControllerContext context,
      String account,
      Part part,
      GroupVersionResource resource,
      String name) {
    Shared all = shared(context);
    ApiClient writer = context.client(account);
    NamespaceDefaults controller =
        new NamespaceDefaults(
            new RestResourceClient(
                context.ownClient(), Reading.GET, any -> writer, all.types()::kind),
            authorities,
            Set.of(part));
    InformerType<String> objects =
        new InformerType<>(
            new Selection(resource, "", "", "metadata.name=" + name),
            object -> object.meta().resourceVersion(),
            List.of());
    return of(
        () -> {
          all.types().start();
          controller.start();
          context.informers().of(NAMESPACES).listen(new Namespaces(controller));
          context.informers().of(objects).listen(new Restored(controller));
        },
        controller,
        controller,
        all.types());
  }

  private record Namespaces(NamespaceDefaults controller) implements ObjectListener<Boolean> {

    @Override
    public void added(ObjectName name, Boolean deleting) {
      if (deleting) {
        controller.forget(name.name());
      } else {
        controller.begin(name.name());
      }
    }

    @Override
    public void updated(ObjectName name, Boolean before, Boolean deleting) {
      added(name, deleting);
    }

    @Override
    public void deleted(ObjectName name, Boolean deleting) {
      controller.forget(name.name());
    }
  }

  /** Looks again after changes and deletions; those that are added are usually our own. */
  private record Restored(NamespaceDefaults controller) implements ObjectListener<String> {

    @Override
    public void added(ObjectName name, String revision) {
      // nothing to restore
    }

    @Override
    public void updated(ObjectName name, String before, String after) {
      controller.invalidate(name.namespace());
    }

    @Override
    public void deleted(ObjectName name, String last) {
      controller.invalidate(name.namespace());
    }
  }

  private Controller ranges(ControllerContext context) {
    Shared all = shared(context);
    InformedRanges source = new InformedRanges(context.informers());
    ServiceCidrController controller =
        new ServiceCidrController(client(all, "service-cidrs-controller"), source, context.clock());
    return of(
        () -> {
          source.awaitSync();
          controller.start();
        },
        controller,
        controller);
  }

  private Controller protection(ControllerContext context) {
    Shared all = shared(context);
    ApiClient claims = context.client("pvc-protection-controller");
    ApiClient volumes = context.client("pv-protection-controller");
    ApiClient classes = context.client("volumeattributesclass-protection-controller");
    Map<GroupVersionResource, ApiClient> byResource =
        Map.of(
            ProtectionSource.Kind.CLAIMS.resource(),
            claims,
            ProtectionSource.Kind.VOLUMES.resource(),
            volumes,
            ProtectionSource.Kind.CLASSES.resource(),
            classes);
    Function<GroupVersionResource, ApiClient> writers =
        resource -> byResource.getOrDefault(resource, claims);
    InformedProtection source = new InformedProtection(context.informers(), context.ownClient());
    ProtectionController controller =
        new ProtectionController(
            new RestResourceClient(context.ownClient(), Reading.LIST, writers, all.types()::kind),
            source);
    return of(
        () -> {
          source.awaitSync();
          controller.start();
        },
        controller,
        controller);
  }
}
