package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Names;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.audit.event.RequestFacts;
import dev.keelson.audit.event.SourceAddresses;
import dev.keelson.authz.Authorizer;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.PathErrors;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.audit.Deprecation;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.Negotiation;
import dev.keelson.http.media.WatchBodies;
import dev.keelson.http.options.DeleteOptionsReader;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.Spans;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.Subresource;
import dev.keelson.value.GoQuote;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The end of the chain for resources: looks up the resource in the catalog and calls the verb
 * handler.
 */
public final class ResourceHandler implements RequestHandler {

  private static final Set<String> FREE_VERB_METHODS =
      Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

  /** Those of {@code proxy} (source: {@code proxyMethods} of pods, services and nodes). */
  private static final Set<String> PROXIED_METHODS =
      Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

  /** The subresource with arbitrary paths below it. */
  private static final String PROXY = "proxy";

  private final ResourceCatalog catalog;
  private final CreateAuthorization createRight;
  private final Map<Verb, VerbHandler> main;
  private final Map<Verb, VerbHandler> status;
  private final SubresourceVerbs subresources;
  private final VirtualVerbs virtual;
  private final WatchVerb watchVirtual;

  /**
   * Creates all verbs.
   *
   * @param leastWatchTimeout the minimum duration of a watch without timeoutSeconds
   * @param deleteCollectionWorkers the number of objects of one request that are deleted
   *     concurrently
   * @param deleteOptions the schema of DeleteOptions
   * @param actions the operations on subresources
   * @param virtualResources the handlers of computed resources and subresources, as {@code
   *     resource/subresource}; may grow until the server listens
   * @param authorizer authorizes creates by an update or patch
   * @param nodes connects to kubelets, pods and services
   */
  public ResourceHandler(
      ResourceCatalog catalog,
      GenericRegistry registry,
      BodyReader reader,
      BodyWriter writer,
      WatchBodies watches,
      Duration leastWatchTimeout,
      int deleteCollectionWorkers,
      StructSchema deleteOptions,
      Subresources actions,
      Map<GroupResource, VirtualResource> virtualResources,
      Authorizer authorizer,
      NodeConnection nodes) {
    this.catalog = catalog;
    createRight = new CreateAuthorization(authorizer);
    virtual = new VirtualVerbs(virtualResources, reader, writer, registry);
    watchVirtual = new WatchVerb(watches, virtual::watch, leastWatchTimeout, new SecureRandom());
    DeleteOptionsReader options = new DeleteOptionsReader(reader, deleteOptions);
    List<PatchFormat> patches = new ArrayList<>(List.of(DocumentPatchFormat.values()));
    patches.add(new ApplyFormat(registry.fields()));
    main =
        Map.of(
            Verb.GET, new GetVerb(registry, writer),
            Verb.LIST, new ListVerb(registry, writer),
            Verb.WATCH,
                new WatchVerb(
                    watches,
                    (call, query, wake) -> registry.watch(call.collection(), query, wake),
                    leastWatchTimeout,
                    new SecureRandom()),
            Verb.CREATE, new CreateVerb(registry, reader, writer),
            Verb.UPDATE, new UpdateVerb(registry, reader, writer),
            Verb.PATCH, new PatchVerb(registry::patch, patches, writer),
            Verb.DELETE, new DeleteVerb(registry, options, writer),
            Verb.DELETE_COLLECTION,
                new DeleteCollectionVerb(registry, options, writer, deleteCollectionWorkers));
    status =
        Map.of(
            Verb.GET, new GetVerb(registry, writer),
            Verb.UPDATE, new UpdateSubresourceVerb(registry, reader, writer),
            Verb.PATCH, new PatchVerb(registry::patchStatus, patches, writer));
    subresources = new SubresourceVerbs(registry, actions, catalog, reader, writer, patches, nodes);
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    RequestInfo.Resource info = (RequestInfo.Resource) exchange.info();
    ResourceDefinition definition = definition(info);
    checkPath(exchange.request().method(), info, definition);
    warnOfDeprecation(exchange, info, definition);
    ResourceCall call =
        new ResourceCall(
            exchange, info, definition, () -> createRight.require(exchange.context().user(), info));
    try (Spans.Open traced = Spans.open(spanName(info.verb()))) {
      if (traced != null) {
        describe(traced, exchange);
      }
      ApiResponse response = info.subresource().isEmpty() ? onMain(call) : onSubresource(call);
      if (traced != null) {
        Spans.Open unused = traced.event("Writing http response done");
      }
      return response;
    }
  }

  /** Gives the span of a verb the attributes that kube-apiserver's handlers give theirs. */
  private static void describe(Spans.Open traced, Exchange exchange) {
    ApiRequest request = exchange.request();
    Spans.Open unused =
        traced
            .with("accept", request.header("accept"))
            .with(
                "client",
                SourceAddresses.of(
                        request.header("x-forwarded-for"),
                        request.header("x-real-ip"),
                        request.remoteAddress())
                    .stream()
                    .findFirst()
                    .orElse(""))
            .with("protocol", request.protocol())
            .with("url", request.path())
            .with("user-agent", RequestFacts.shown(request.header("user-agent")));
  }

  /** As kube-apiserver's handlers name theirs. */
  private static String spanName(Verb verb) {
    return switch (verb) {
      case GET -> "Get";
      case LIST -> "List";
      case WATCH -> "Watch";
      case CREATE -> "Create";
      case UPDATE -> "Update";
      case PATCH -> "Patch";
      case DELETE, DELETE_COLLECTION -> "Delete";
      case CONNECT -> "Connect";
    };
  }

  /** Custom resources are looked up in a catalog that has the last change of this server. */
  private ResourceDefinition definition(RequestInfo.Resource info) {
    ResourceCatalog.Snapshot served = catalog.snapshot();
    Optional<ResourceDefinition> known = served.find(info.gvr());
    if (known.isPresent() && known.get().custom() == null) {
      if (!served.serves(known.get())) {
        throw PathErrors.unknownPath();
      }
      return known.get();
    }
    return catalog.current().find(info.gvr()).orElseThrow(PathErrors::unknownPath);
  }

  private ApiResponse onMain(ResourceCall call) {
    Verb verb = call.info().verb();
    if (!call.definition().verbs().contains(verb) && !call.definition().terminating()) {
      throw PathErrors.notAllowed();
    }
    VerbHandler handler =
        call.definition().storage() == null ? withoutStorage(call) : main.get(verb);
    if (handler == null) {
      throw notServed(verb.word() + " of " + call.definition().groupResource());
    }
    checkAnswerable(call);
    checkName(call.info());
    return handler.handle(call);
  }

  /** Rejects names that cannot be one segment of a key (source: NamespaceKeyFunc). */
  public static void checkName(RequestInfo.Resource info) {
    if (hasNameInPath(info)) {
      String problem = Names.pathSegment(info.name());
      if (!problem.isEmpty()) {
        throw ApiException.badRequest(
            "Name parameter invalid: "
                + GoQuote.quote(info.name())
                + ": "
                + problem.replace('\n', ';'));
      }
    }
  }

  private @Nullable VerbHandler withoutStorage(ResourceCall call) {
    if (call.info().verb() == Verb.WATCH) {
      return watchVirtual;
    }
    VerbHandler posted = subresources.posted(call);
    return posted == null ? virtual.handler(call) : posted;
  }

  private static void warnOfDeprecation(
      Exchange exchange, RequestInfo.Resource info, ResourceDefinition definition) {
    if (info.subresource().isEmpty() || info.subresource().equals("status")) {
      String warning = definition.deprecationWarning();
      if (!warning.isEmpty()) {
        exchange.context().warn(warning);
        exchange
            .context()
            .deprecate(new RequestContext.Deprecation(Deprecation.removedRelease(warning)));
        if (exchange.context().isAudited()) {
          Deprecation.annotate(exchange.context(), warning);
        }
      }
    }
  }

  /** A write fails with NotAcceptable before it is executed, as in Kubernetes. */
  private static void checkAnswerable(ResourceCall call) {
    switch (call.info().verb()) {
      case CREATE, UPDATE, PATCH, DELETE, DELETE_COLLECTION -> {
        String subresource = call.info().subresource();
        if (subresource.isEmpty() || subresource.equals("status")) {
          Negotiation.check(call.request(), call.definition());
        } else {
          Negotiation.check(call.request());
        }
      }
      case GET, LIST, WATCH, CONNECT -> {}
    }
  }

  private @Nullable VerbHandler below(ResourceCall call, String name, Verb verb) {
    VerbHandler answered = virtual.handler(call);
    return answered == null ? subresources.of(name, verb) : answered;
  }

  /**
   * Rejects subresources and verbs of them that the resource does not have. Those of built-in types
   * are unknown paths, while kube-apiserver's handler of custom resources names the object.
   */
  static void checkSubresource(RequestInfo.Resource info, ResourceDefinition definition) {
    boolean custom = definition.custom() != null;
    Subresource subresource = definition.subresources().get(info.subresource());
    if (subresource == null) {
      throw custom
          ? ApiException.notFound(definition.groupResource(), info.name())
          : PathErrors.unknownPath();
    }
    if (!subresource.verbs().contains(info.verb())) {
      throw custom
          ? ApiException.methodNotAllowed(definition.groupResource(), info.verb().word())
          : PathErrors.notAllowed();
    }
  }

  private ApiResponse onSubresource(ResourceCall call) {
    String name = call.info().subresource();
    Verb verb = call.info().verb();
    checkSubresource(call.info(), call.definition());
    checkAnswerable(call);
    VerbHandler handler = name.equals("status") ? status.get(verb) : below(call, name, verb);
    if (handler == null) {
      throw notServed(
          verb.word() + " of the subresource " + call.definition().groupResource() + "/" + name);
    }
    checkName(call.info());
    return handler.handle(call);
  }

  /**
   * Rejects paths with a namespace for a cluster-scoped resource, and without one for a namespaced
   * object. Without a namespace a collection of a custom resource can only be listed and watched:
   * kube-apiserver does not know other paths of it, while those of built-in types lack the method.
   */
  public static void checkPath(
      String method, RequestInfo.Resource info, ResourceDefinition definition) {
    boolean inNamespace = !info.namespace().isEmpty();
    boolean namespaces =
        definition.gvr().resource().equals("namespaces") && definition.gvr().group().isEmpty();
    if (!definition.namespaced() && inNamespace && !namespaces) {
      throw PathErrors.unknownPath();
    }
    if (definition.namespaced() && !inNamespace && !info.name().isEmpty() && hasNameInPath(info)) {
      throw PathErrors.unknownPath();
    }
    if (info.watchPath()
        && definition.namespaced()
        && !inNamespace
        && !info.path().endsWith("/" + info.resource())) {
      // a name without a namespace
      throw PathErrors.unknownPath();
    }
    if (!info.rest().isEmpty() && !info.subresource().equals(PROXY)) {
      throw PathErrors.unknownPath();
    }
    if (!info.name().isEmpty() && hasNameInPath(info) && !hasObjects(definition)) {
      throw PathErrors.unknownPath();
    }
    Set<String> methods = info.subresource().equals(PROXY) ? PROXIED_METHODS : FREE_VERB_METHODS;
    if (!methods.contains(method) || (info.verb() == Verb.WATCH && !method.equals("GET"))) {
      throw PathErrors.notAllowed();
    }
    if (definition.namespaced()
        && !inNamespace
        && (info.verb() == Verb.CREATE || info.verb() == Verb.DELETE_COLLECTION)
        && definition.storage() != null) {
      throw definition.custom() == null ? PathErrors.notAllowed() : PathErrors.unknownPath();
    }
    if (info.verb() == Verb.CREATE && !info.name().isEmpty() && info.subresource().isEmpty()) {
      throw PathErrors.notAllowed();
    }
    if ((info.verb() == Verb.UPDATE || info.verb() == Verb.PATCH) && info.name().isEmpty()) {
      if (definition.custom() == null) {
        throw PathErrors.notAllowed();
      }
      throw definition.namespaced() && !inNamespace
          ? PathErrors.unknownPath()
          : ApiException.badRequest("name must be provided");
    }
  }

  /** Whether there are paths of single objects; a review can only be created. */
  private static boolean hasObjects(ResourceDefinition definition) {
    Set<Verb> verbs = definition.verbs();
    return verbs.contains(Verb.GET)
        || verbs.contains(Verb.UPDATE)
        || verbs.contains(Verb.PATCH)
        || verbs.contains(Verb.DELETE)
        || definition.terminating();
  }

  /** The name of a list may come from its field selector. */
  private static boolean hasNameInPath(RequestInfo.Resource info) {
    return switch (info.verb()) {
      case LIST, WATCH, DELETE_COLLECTION -> false;
      case GET, CREATE, UPDATE, PATCH, DELETE, CONNECT -> true;
    };
  }

  private static ApiException notServed(String what) {
    return new ApiException(Reason.NOT_IMPLEMENTED, "this server does not offer " + what);
  }
}
