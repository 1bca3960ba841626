package dev.keelson.server;

import dev.keelson.admission.Admission;
import dev.keelson.admission.plugin.ClusterObjects;
import dev.keelson.admission.plugin.PluginChain;
import dev.keelson.admission.plugin.PluginName;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authz.node.GraphSource;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.Exposure;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.bootstrap.FlowObjects;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.controller.garbage.GarbageCollection;
import dev.keelson.controller.namespace.NamespaceTermination;
import dev.keelson.controller.serviceaccount.NamespaceDefaults;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.flow.InFlightLimiter;
import dev.keelson.http.ErrorAnswers;
import dev.keelson.http.RequestMetrics;
import dev.keelson.http.Stage;
import dev.keelson.http.access.Reviews;
import dev.keelson.http.access.VisibleNamespaces;
import dev.keelson.http.discovery.DocumentEncoder;
import dev.keelson.http.filter.FilterOrder;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.MetaSchemas;
import dev.keelson.http.media.WatchBodies;
import dev.keelson.http.verb.GatedStage;
import dev.keelson.http.verb.ResourceStage;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.CatalogJson;
import dev.keelson.registry.Collection;
import dev.keelson.registry.NamespaceLifecycle;
import dev.keelson.registry.ObjectForms;
import dev.keelson.registry.SchemaForms;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.registry.client.StoreOwnership;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.namespace.NamespaceAutoProvision;
import dev.keelson.registry.namespace.NamespacePresence;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.registry.service.AddressBlock;
import dev.keelson.registry.service.ServiceClaims;
import dev.keelson.registry.service.ServiceRanges;
import dev.keelson.registry.service.ServiceStrategy;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.conversion.VersionConverter;
import dev.keelson.schema.openapi.Descriptions;
import dev.keelson.schema.openapi.JsonText;
import dev.keelson.schema.openapi.OpenApiDocuments;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.server.cache.CachedTypes;
import dev.keelson.server.cache.KnownNamespaces;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.cache.StoredTokens;
import dev.keelson.server.controller.MasterLeases;
import dev.keelson.server.controller.NamespaceDefaultsObserver;
import dev.keelson.server.controller.ServerEndpoints;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.identity.RegistryRoles;
import dev.keelson.server.identity.RoleAdmission;
import dev.keelson.server.lifecycle.FileWatch;
import dev.keelson.server.lifecycle.StartException;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.registry.ComponentStatuses;
import dev.keelson.server.registry.DeviceAdminAccess;
import dev.keelson.server.registry.LocalClusterObjects;
import dev.keelson.server.registry.TypeComments;
import dev.keelson.server.store.WriteTrackingStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.object.Expiry;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.storage.object.SharedSecret;
import dev.keelson.watch.Retention;
import dev.keelson.watch.WatchCache;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** The API on a store, from the schema up to the chain that answers requests. */
final class ApiParts implements AutoCloseable {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /** How long garbage collection leaves a start alone if nothing is deleted. */
  private static final Duration GARBAGE_PATIENCE = Duration.ofSeconds(10);

  private static final GroupVersionResource ACCOUNTS =
      GroupVersion.CORE_V1.resource("serviceaccounts");

  private final ProtoSchemas schemas;
  private final ResourceCatalog catalog;
  private final WatchCache cache;
  private final Authorization authorization;
  private final RegistryRoles roles;
  private final ErrorAnswers errors;
  private final Stage resources;
  private final WriteTrackingStore identityEnds;
  private final GenericRegistry registry;
  private final NamespacePresence namespaces;
  private final KnownNamespaces knownNamespaces;
  private final NamespaceTermination termination;
  private final GarbageCollection garbage;
  private final ServerEndpoints serverEndpoints;

  /** What somebody deletes or spoils of them comes back within a minute, as in kube-apiserver. */
  private final ControllerLoop flowDefaults;

  private final ControllerLoop serviceRepair;

  private final ServiceClaims claims;
  private final NamespaceDefaults namespaceDefaults;
  private final NamespaceDefaultsObserver disturbed;
  private final Reflectors<TokenSource.Kind> tokens;
  private final ResourceClient client;
  private final Map<GroupResource, VirtualResource> virtual = new ConcurrentHashMap<>();

  /** Makes every part; reads nothing from the store yet. */
  ApiParts(
      RevisionedStore bare,
      ServerOptions options,
      String authorityPem,
      FileWatch files,
      InstantSource clock) {
    schemas = ProtoSchemas.fromClassPath();
    catalog = new ResourceCatalog(BuiltInResources.all(schemas::struct));
    KeyLayout layout = new KeyLayout(options.storage().prefix());
    Map<RoleSource.Kind, StoredType> roleTypes = BuiltInSteps.storedRoles(catalog);
    Map<GraphSource.Kind, StoredType> graphTypes = BuiltInSteps.storedGraph(catalog);
    WriteTrackingStore roleMarks = WriteTrackingStore.of(bare, layout, roleTypes.values());
    WriteTrackingStore graphMarks = WriteTrackingStore.of(roleMarks, layout, graphTypes.values());
    identityEnds =
        WriteTrackingStore.ofEnds(
            graphMarks,
            layout,
            BuiltInSteps.storedBonds(catalog),
            List.of(BuiltInSteps.stored(catalog, "", "secrets")));
    WriteTrackingStore store =
        WriteTrackingStore.of(identityEnds, layout, List.of(BuiltInSteps.storedNamespace(catalog)));
    ObjectStore objects =
        new ObjectStore(
            store, layout, new Expiry(Map.of("events", options.limits().eventTtl()), clock));
    cache = new WatchCache(store, layout.prefix(), clock, Retention.DEFAULT);
    ObjectStates states =
        new ObjectStates(store, layout, cache, new CachedTypes(catalog, options.cache()));
    ObjectForms forms =
        new SchemaForms(
            catalog,
            new VersionConverter(new CatalogJson(catalog)),
            StoredForm.Medium.valueOf(options.storage().mediaType().name()));
    StoredType namespace = BuiltInSteps.storedNamespace(catalog);
    AtomicReference<NamespaceTermination> terminator = new AtomicReference<>();
    AtomicReference<NamespaceDefaults> completer = new AtomicReference<>();
    namespaces =
        new NamespacePresence(
            objects,
            forms,
            namespace,
            name -> {
              completer.get().forget(name);
              terminator.get().begin(name);
            });
    Reflectors<RoleSource.Kind> roleFeed =
        new Reflectors<>(roleTypes, cache, layout, roleMarks, forms);
    authorization =
        new Authorization(
            options.authorization(),
            options.admission().enabled().contains(PluginName.NODE_RESTRICTION),
            new Authorization.Feeds(
                roleFeed, new Reflectors<>(graphTypes, cache, layout, graphMarks, forms)),
            files,
            clock);
    checkExposure(options);
    knownNamespaces =
        new KnownNamespaces(
            new Reflectors<>(
                Map.of(KnownNamespaces.Kind.NAMESPACE, namespace), cache, layout, store, forms),
            roleFeed,
            authorization.decidingRoles());
    tokens = new Reflectors<>(BuiltInSteps.storedTokens(catalog), cache, layout, store, forms);
    claims = BuiltInSteps.claims(catalog, objects, forms, clock);
    AtomicReference<GenericRegistry> known = new AtomicReference<>();
    ClusterObjects clusterObjects = new LocalClusterObjects(catalog, known::get);
    Admission plugins =
        new DeviceAdminAccess(
            clusterObjects,
            PluginChain.of(
                options.admission(),
                clusterObjects,
                authorization.authorizer(),
                new SecureRandom()));
    NamespaceLifecycle gate =
        options.admission().enabled().contains(PluginName.NAMESPACE_AUTO_PROVISION)
            ? new NamespaceAutoProvision(
                namespaces, name -> SystemObjects.createNamespace(clientOf(known.get()), name))
            : namespaces;
    registry =
        new GenericRegistry(
            objects,
            store,
            states,
            new SharedSecret(store, layout.own("continue-key")),
            forms,
            BuiltInSteps.of(
                catalog,
                forms,
                clock,
                new ServiceStrategy(claims, serviceRanges(options.serving()), new SecureRandom()),
                new RoleAdmission(authorization.escalation(), plugins),
                options.features()),
            gate,
            new SecureRandom(),
            clock);
    known.set(registry);
    LocalResourceClient client = clientOf(registry);
    namespaceDefaults = new NamespaceDefaults(client, authorityPem);
    completer.set(namespaceDefaults);
    namespaces.whenActive(namespaceDefaults::begin);
    disturbed =
        new NamespaceDefaultsObserver(
            namespaceDefaults,
            layout,
            BuiltInSteps.stored(catalog, "", "serviceaccounts"),
            BuiltInSteps.stored(catalog, "", "configmaps"));
    this.client = client;
    termination = new NamespaceTermination(catalog, client, clock);
    terminator.set(termination);
    garbage =
        new GarbageCollection(
            catalog,
            client,
            new StoreOwnership(store, layout, cache, forms, catalog, GARBAGE_PATIENCE),
            clock);
    serverEndpoints =
        new ServerEndpoints(
            new SystemObjects(client),
            options.storage() instanceof StorageOptions.Sqlite
                ? null
                : new MasterLeases(bare, layout, ServerEndpoints.TIME_TO_LIVE));
    FlowObjects flowObjects = new FlowObjects(client);
    flowDefaults =
        ControllerLoop.every("flow-defaults", Duration.ofMinutes(1), flowObjects::ensure);
    serviceRepair =
        ControllerLoop.every("service-repair", ServiceClaims.REPAIR_INTERVAL, claims::repair);
    roles = new RegistryRoles(catalog, registry);
    MetaSchemas meta = MetaSchemas.of(schemas::struct);
    BodyWriter writer = new BodyWriter(registry, forms, meta, clock);
    errors = new ErrorAnswers(writer::status);
    virtual.putAll(Reviews.of(authorization.authorizer(), clock));
    virtual.put(
        VisibleNamespaces.RESOURCE,
        new VisibleNamespaces(knownNamespaces, authorization.authorizer()));
    virtual.put(ComponentStatuses.RESOURCE, new ComponentStatuses(bare));
    resources =
        new GatedStage(
            new ResourceStage(
                catalog,
                registry,
                new BodyReader(),
                writer,
                new WatchBodies(registry, forms, meta, clock),
                options.limits().minWatchTimeout(),
                options.limits().deleteCollectionWorkers(),
                schemas.struct(META + "DeleteOptions"),
                Subresources.of(registry, forms, catalog, clock),
                virtual,
                authorization.authorizer()),
            options.features());
  }

  /** The flags have been checked for themselves; what a file says is known only here. */
  private void checkExposure(ServerOptions options) {
    Exposure.refusal(
            "--authorization-config",
            authorization.modes(),
            options.serving(),
            options.authentication().anonymous(),
            options.authorization().insecureExposure())
        .ifPresent(
            text -> {
              throw new StartException(text, null);
            });
  }

  /**
   * Has admission look at a token that is asked for.
   *
   * @throws dev.keelson.api.ApiException if a step refuses it
   */
  void admitToken(VirtualResource.Request request) {
    Collection accounts =
        new Collection(catalog.snapshot().find(ACCOUNTS).orElseThrow(), request.info().namespace());
    registry.admitUnstored(
        accounts,
        request.info().subresource(),
        request.info().name(),
        request.sent(),
        new WriteOptions(false, "keelson", request.context().user(), request.context()::warn));
  }

  private LocalResourceClient clientOf(GenericRegistry registry) {
    return new LocalResourceClient(catalog, registry, identityEnds::lastWrite);
  }

  private static ServiceRanges serviceRanges(ServingOptions options) {
    return new ServiceRanges(
        options.serviceRanges().stream().map(AddressBlock::new).toList(),
        options.nodePorts().first(),
        options.nodePorts().last());
  }

  WatchCache cache() {
    return cache;
  }

  ResourceCatalog catalog() {
    return catalog;
  }

  /** The OpenAPI documents of what is served; nothing is read or built before one is asked for. */
  OpenApiDocuments openApi(String version) {
    TypeComments comments = new TypeComments();
    return new OpenApiDocuments(
        catalog,
        schemas::struct,
        new Descriptions(comments::of, comments::of),
        new JsonText(ObjectWriter::json, ObjectReader::untypedJson),
        version);
  }

  /** Writes the documents of discovery. */
  DocumentEncoder discoveryDocuments() {
    return (document, format) ->
        switch (format) {
          case JSON -> ObjectWriter.json(document);
          case YAML -> ObjectWriter.yaml(document);
          case PROTOBUF -> ObjectWriter.protobuf(document, schemas.struct(discoveryType(document)));
        };
  }

  private static String discoveryType(MapNode document) {
    String group = document.text("apiVersion");
    return group.startsWith("apidiscovery.k8s.io/")
        ? "io.k8s.api.apidiscovery."
            + group.substring(group.indexOf('/') + 1)
            + ".APIGroupDiscoveryList"
        : "io.k8s.apimachinery.pkg.apis.meta.v1." + document.text("kind");
  }

  /** The API as code of this process uses it. */
  ResourceClient client() {
    return client;
  }

  /** Tells of what tokens of service accounts rest on. */
  TokenSource tokens() {
    return new StoredTokens(tokens);
  }

  /**
   * Serves what is not stored; to be called before the server listens.
   *
   * @param resource its name; that of a subresource stands behind a slash
   */
  void answer(GroupResource resource, VirtualResource answer) {
    virtual.put(resource, answer);
  }

  /** A file that decisions may rest on has changed. */
  void filesChanged() {
    knownNamespaces.authorizerChanged();
  }

  ErrorAnswers errors() {
    return errors;
  }

  /** The verbs on objects. */
  Stage resources() {
    return resources;
  }

  /** The filters in front of everything. */
  FilterOrder filters(
      UnionAuthenticator authenticators, InFlightLimiter limiter, RequestMetrics metrics) {
    return new FilterOrder(
        authenticators,
        authorization.authorizer(),
        authorization.openPaths(),
        limiter,
        errors,
        metrics);
  }

  /**
   * Creates what every cluster has, and begins to follow the store. Throws if the store cannot be
   * reached.
   */
  void start(SystemObjects.Place place) {
    serverEndpoints.start(place);
    authorization.start(roles);
    // beside the start, which they must not delay
    flowDefaults.start();
    namespaces.start();
    namespaceDefaults.start();
    cache.observe(disturbed);
    serviceRepair.start();
    garbage.start();
  }

  @Override
  public void close() {
    serverEndpoints.close();
    flowDefaults.close();
    authorization.close();
    namespaces.close();
    knownNamespaces.close();
    serviceRepair.close();
    namespaceDefaults.close();
    tokens.close();
    termination.close();
    garbage.close();
    cache.close();
  }
}
