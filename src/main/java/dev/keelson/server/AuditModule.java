package dev.keelson.server;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.config.option.AuditOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.audit.BodyJson;
import dev.keelson.http.health.Metrics;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.server.audit.Auditing;
import dev.keelson.server.audit.BackEnds;
import dev.keelson.server.audit.DynamicSinks;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import dev.keelson.webhook.WebhookClient;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The audit of requests. */
@Singleton
final class AuditModule {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  /** Kinds of bodies that are no resources. */
  private static final Set<String> META_KINDS =
      Set.of("Status", "DeleteOptions", "ListMeta", "PartialObjectMetadata");

  /** Opens the back ends that the flags name; off if they name none. */
  @Produces
  @Singleton
  Auditing auditing(
      Vertx vertx,
      ServerOptions options,
      FileReloader files,
      ResourceCatalog catalog,
      ProtoSchemas schemas,
      BodyWriter writer,
      Metrics metrics,
      KeyLayout layout,
      Provider<WatchCache> cache,
      Provider<TrackedStores> stores,
      Provider<ObjectCodec> codec,
      Provider<WebhookClient> webhooks,
      InstantSource clock) {
    AuditOptions audit = options.audit();
    if (audit != null && !audit.isOn()) {
      BackEnds.check(audit, files);
    }
    // started before the server listens, so that no request waits for a back end
    return audit == null || !audit.isOn()
        ? Auditing.off()
        : BackEnds.start(
            audit,
            options.dataDir(),
            vertx,
            files,
            new BodyJson(kind -> schema(catalog, schemas, kind)),
            new ErrorResponses(writer::status),
            metrics.registry(),
            audit.dynamic()
                ? new DynamicSinks.Parts(
                    () ->
                        new Reflectors<>(
                            Map.of(
                                DynamicSinks.Kind.AUDIT_SINK,
                                BuiltInSteps.storedAuditSinks(catalog).orElseThrow()),
                            cache.get(),
                            layout,
                            stores.get().admission(),
                            codec.get()),
                    webhooks::get)
                : null,
            clock);
  }

  private static Optional<StructSchema> schema(
      ResourceCatalog catalog, ProtoSchemas schemas, GroupVersionKind kind) {
    Optional<StructSchema> known = catalog.snapshot().find(kind).map(ResourceDefinition::schema);
    return known.isPresent() || !META_KINDS.contains(kind.kind())
        ? known
        : Optional.of(schemas.struct(META + kind.kind()));
  }
}
