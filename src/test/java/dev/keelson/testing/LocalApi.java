package dev.keelson.testing;

import dev.keelson.admission.Admission;
import dev.keelson.api.ApiException;
import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.CatalogJson;
import dev.keelson.registry.Collection;
import dev.keelson.registry.CustomConverter;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.ObjectRules;
import dev.keelson.registry.SchemaCodec;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.client.StoreOwnership;
import dev.keelson.registry.fieldmanager.FieldManager;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.namespace.NamespaceInformer;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.registry.service.AddressBlock;
import dev.keelson.registry.service.AllocationMetrics;
import dev.keelson.registry.service.KnownAddresses;
import dev.keelson.registry.service.ServiceRanges;
import dev.keelson.registry.write.WriteSteps;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.conversion.FormerVersions;
import dev.keelson.schema.conversion.VersionConverter;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.registry.ServiceAllocators;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.storage.object.SharedSecret;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import dev.keelson.storage.sqlite.Synchronous;
import dev.keelson.value.Cidr;
import dev.keelson.watch.Retention;
import dev.keelson.watch.WatchCache;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * The registry of all built-in resources on a real SQLite store, in this process and without HTTP.
 * The namespaces {@code default} and {@code other} exist. Objects are given in JSON with single
 * quotes.
 */
public final class LocalApi implements AutoCloseable {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();

  /** The Service ranges of tests. */
  public static final ServiceRanges RANGES =
      new ServiceRanges(List.of(new AddressBlock(Cidr.parse("10.0.0.0/24"))), 30000, 32767);

  private final FaultyStore store;
  private final ManualClock clock = new ManualClock();
  private final ResourceCatalog catalog =
      new ResourceCatalog(BuiltInResources.all(SCHEMAS::struct));
  private final ObjectStore objects;
  private final WatchCache cache;
  private final AtomicReference<CustomConverter> webhooks =
      new AtomicReference<>(CustomConverter.NONE);
  private final ObjectCodec codec =
      new SchemaCodec(
          catalog,
          new VersionConverter(new CatalogJson(catalog)),
          new FormerVersions(SCHEMAS::struct),
          StoredForm.Medium.JSON,
          (resource, target, sent) -> webhooks.get().convert(resource, target, sent));
  private final NamespaceInformer namespaces;
  private final AtomicReference<List<AddressBlock>> serviceCidrs = new AtomicReference<>(List.of());
  private final ServiceAllocators allocators;
  private final GenericRegistry registry;

  private LocalApi(
      Path directory,
      RandomGenerator random,
      boolean strict,
      ServiceRanges ranges,
      Admission admission,
      UnaryOperator<FieldManager> fields) {
    this(
        SqliteStore.open(
            SqliteOptions.defaults(directory.resolve("store.db")).withSynchronous(Synchronous.OFF),
            InstantSource.system()),
        random,
        strict,
        ranges,
        admission,
        fields);
  }

  private LocalApi(
      RevisionedStore opened,
      RandomGenerator random,
      boolean strict,
      ServiceRanges ranges,
      Admission admission,
      UnaryOperator<FieldManager> fields) {
    store = new FaultyStore(opened);
    objects = new ObjectStore(store, KeyLayout.KUBERNETES);
    cache = new WatchCache(store, KeyLayout.KUBERNETES.prefix(), clock, Retention.ofMemory());
    StoredType namespace = storedType("v1", "namespaces");
    namespaces = new NamespaceInformer(objects, codec, namespace);
    allocators =
        ServiceAllocators.of(
            catalog,
            SCHEMAS::struct,
            objects,
            codec,
            clock,
            ranges,
            serviceCidrs::get,
            KnownAddresses.NONE,
            AllocationMetrics.NONE,
            RandomGenerator.of("L64X128MixRandom"));
    serviceCidrs.set(ranges.blocks());
    WriteSteps steps =
        BuiltInSteps.of(
            catalog,
            codec,
            clock,
            allocators.strategy(),
            admission,
            FeatureGates.DEFAULT.with(Feature.ALL_ALPHA, true));
    registry =
        new GenericRegistry(
            objects,
            store,
            new ObjectStates(store, KeyLayout.KUBERNETES, cache, type -> true),
            new SharedSecret(store, KeyLayout.KUBERNETES.own("continue-key")),
            codec,
            catalog,
            withFields(strict ? steps : withoutRules(steps), fields),
            namespaces,
            random,
            clock);
    for (String name : new String[] {"default", "other"}) {
      ApiObject created = create("v1", "namespaces", "", "{'metadata':{'name':'" + name + "'}}");
      Objects.requireNonNull(created);
    }
  }

  /**
   * Opens a new store in {@code directory}, without validation rules of types, so that objects need
   * not be valid.
   */
  public static LocalApi open(Path directory) {
    return new LocalApi(
        directory,
        RandomGenerator.of("L64X128MixRandom"),
        false,
        RANGES,
        Admission.NONE,
        UnaryOperator.identity());
  }

  /** On an empty store, without validation rules of types; the store is closed with the result. */
  public static LocalApi on(RevisionedStore store) {
    return new LocalApi(
        store,
        RandomGenerator.of("L64X128MixRandom"),
        false,
        RANGES,
        Admission.NONE,
        UnaryOperator.identity());
  }

  /** Opens a new store in {@code directory}, with the validation rules of types. */
  public static LocalApi openStrict(Path directory) {
    return new LocalApi(
        directory,
        RandomGenerator.of("L64X128MixRandom"),
        true,
        RANGES,
        Admission.NONE,
        UnaryOperator.identity());
  }

  /** On a new store in {@code directory}, with other addresses for Services. */
  public static LocalApi open(Path directory, ServiceRanges ranges) {
    return new LocalApi(
        directory,
        RandomGenerator.of("L64X128MixRandom"),
        false,
        ranges,
        Admission.NONE,
        UnaryOperator.identity());
  }

  /** Opens a new store in {@code directory}, whose writes pass {@code admission}. */
  public static LocalApi open(Path directory, Admission admission) {
    return new LocalApi(
        directory,
        RandomGenerator.of("L64X128MixRandom"),
        false,
        RANGES,
        admission,
        UnaryOperator.identity());
  }

  /** The same with other field management than {@code fields} makes of the server's. */
  public static LocalApi open(
      Path directory, Admission admission, UnaryOperator<FieldManager> fields) {
    return new LocalApi(
        directory, RandomGenerator.of("L64X128MixRandom"), false, RANGES, admission, fields);
  }

  private static WriteSteps withFields(WriteSteps steps, UnaryOperator<FieldManager> fields) {
    return new WriteSteps(
        steps.defaulting(),
        fields.apply(steps.fields()),
        steps.admission(),
        steps.strategies(),
        steps.rules());
  }

  private static WriteSteps withoutRules(WriteSteps steps) {
    return new WriteSteps(
        steps.defaulting(),
        steps.fields(),
        steps.admission(),
        steps.strategies(),
        ObjectRules.NONE);
  }

  /** On a new store in {@code directory}, with names generated from {@code random}. */
  public static LocalApi open(Path directory, RandomGenerator random) {
    return new LocalApi(directory, random, false, RANGES, Admission.NONE, UnaryOperator.identity());
  }

  public WatchCache cache() {
    return cache;
  }

  public ServiceAllocators allocators() {
    return allocators;
  }

  /** Allocates Service addresses from these ranges. */
  public void serviceCidrs(AddressBlock... blocks) {
    serviceCidrs.set(List.of(blocks));
  }

  public FaultyStore store() {
    return store;
  }

  public ObjectStore objects() {
    return objects;
  }

  public ObjectCodec codec() {
    return codec;
  }

  public ResourceCatalog catalog() {
    return catalog;
  }

  public NamespaceInformer namespaces() {
    return namespaces;
  }

  public GenericRegistry registry() {
    return registry;
  }

  /** Returns a new feed of ownership. */
  public StoreOwnership ownership(Duration patience) {
    return ownership(patience, catalog);
  }

  /** The same of another server, which serves the types of {@code catalog}. */
  public StoreOwnership ownership(Duration patience, ResourceCatalog catalog) {
    return new StoreOwnership(store, KeyLayout.KUBERNETES, cache, codec, catalog, patience);
  }

  /** Converts custom objects that name a webhook by {@code converter}. */
  public void convertBy(CustomConverter converter) {
    webhooks.set(converter);
  }

  public ManualClock clock() {
    return clock;
  }

  /** The resource in a version such as {@code apps/v1}. */
  public ResourceDefinition definition(String version, String resource) {
    return catalog
        .snapshot()
        .find(GroupVersion.parse(version).resource(resource))
        .orElseThrow(() -> new IllegalArgumentException(version + " has no " + resource));
  }

  /** Returns the stored objects of a resource. */
  public StoredType storedType(String version, String resource) {
    return Collection.storedType(definition(version, resource));
  }

  /** The objects of a resource in a namespace, or everywhere. */
  public Collection collection(String version, String resource, String namespace) {
    return new Collection(definition(version, resource), namespace);
  }

  /** An object of a resource, as a client sends it. */
  public ApiObject object(String version, String resource, String json) {
    ResourceDefinition definition = definition(version, resource);
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    MapNode root = ObjectReader.json(text, definition.schema(), FieldValidation.STRICT).root();
    return new ApiObject(root).withType(definition.gvk().apiVersion(), definition.kind());
  }

  /** Creates an object and returns it as the client gets it. */
  public ApiObject create(String version, String resource, String namespace, String json) {
    return served(
        registry.create(
            collection(version, resource, namespace),
            object(version, resource, json),
            WriteOptions.PERSIST));
  }

  /** Replaces an object and returns it as the client gets it. */
  public ApiObject replace(
      String version, String resource, String namespace, String name, ApiObject object) {
    return served(
        registry
            .replace(collection(version, resource, namespace), name, object, WriteOptions.PERSIST)
            .object());
  }

  /** The smallest valid object of a resource, as a client sends it. */
  public ApiObject smallest(String version, String resource, String name) {
    ResourceDefinition definition = definition(version, resource);
    Node root = node(SmallestObjects.of(definition, "default", name, 0));
    return new ApiObject((MapNode) root);
  }

  /** Creates the smallest valid object and returns it as the client gets it. */
  public ApiObject createSmallest(String version, String resource, String namespace, String name) {
    return create(version, resource, namespace, smallest(version, resource, name));
  }

  /** Creates an object and returns it as the client gets it. */
  public ApiObject create(String version, String resource, String namespace, ApiObject object) {
    return served(
        registry.create(collection(version, resource, namespace), object, WriteOptions.PERSIST));
  }

  private static Node node(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Node> entries = new LinkedHashMap<>();
        map.forEach((key, entry) -> entries.put(String.valueOf(key), node(entry)));
        yield MapNode.copyOf(entries);
      }
      case List<?> list -> new Node.Items(list.stream().map(LocalApi::node).toList());
      case Boolean bool -> Node.Bool.of(bool);
      case Number number -> new Node.Int(number.longValue());
      default -> Node.text(String.valueOf(value));
    };
  }

  /** Reads an object; throws an {@link ApiException} if there is none. */
  public ApiObject get(String version, String resource, String namespace, String name) {
    return served(registry.get(collection(version, resource, namespace), name));
  }

  /** The object in the version in which it was asked for. */
  public ApiObject served(StoredObject stored) {
    return registry.served(stored);
  }

  /** JSON with single quotes. */
  public static String json(MapNode node) {
    return new String(ObjectWriter.json(node), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @Override
  public void close() {
    namespaces.close();
    cache.close();
    store.close();
  }
}
