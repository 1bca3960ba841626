package dev.keelson.server;

import dev.keelson.api.ApiEnablement;
import dev.keelson.api.Feature;
import dev.keelson.config.option.AuditOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.http.health.Metrics;
import dev.keelson.registry.CatalogJson;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.SchemaCodec;
import dev.keelson.registry.conversion.WebhookConverter;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.conversion.FormerVersions;
import dev.keelson.schema.conversion.VersionConverter;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.server.registry.ConversionMeters;
import dev.keelson.webhook.WebhookClient;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Produces the schemas, the resource catalog and the object forms. */
@Singleton
final class SchemaModule {

  @Produces
  @Singleton
  ProtoSchemas schemas() {
    return ProtoSchemas.fromClassPath();
  }

  @Produces
  @Singleton
  ResourceCatalog catalog(ProtoSchemas schemas, ServerOptions options) {
    List<ResourceDefinition> resources = new ArrayList<>(BuiltInResources.all(schemas::struct));
    AuditOptions audit = options.audit();
    if (audit != null && audit.trail().url() != null) {
      resources.addAll(BuiltInResources.trail(schemas::struct));
    }
    if (audit != null && audit.dynamic()) {
      resources.addAll(BuiltInResources.auditSinks(schemas::struct));
    }
    ApiEnablement served = options.served();
    List<ResourceDefinition> onRequest = new ArrayList<>();
    if (options.features().on(Feature.STORAGE_VERSION_API)) {
      onRequest.addAll(BuiltInResources.storageVersions(schemas::struct));
    }
    if (options.features().on(Feature.STORAGE_VERSION_MIGRATOR)) {
      onRequest.addAll(BuiltInResources.migrations(schemas::struct));
    }
    onRequest.stream()
        .filter(row -> served.serves(row.gvr(), /* byDefault= */ false))
        .forEach(resources::add);
    return served.isEverything()
        ? new ResourceCatalog(resources)
        : new ResourceCatalog(resources, row -> served.serves(row.gvr()));
  }

  @Produces
  @Singleton
  ObjectCodec codec(
      ResourceCatalog catalog,
      ProtoSchemas schemas,
      ServerOptions options,
      Provider<WebhookClient> webhooks,
      Metrics metrics) {
    return new SchemaCodec(
        catalog,
        new VersionConverter(new CatalogJson(catalog)),
        new FormerVersions(schemas::struct),
        StoredForm.Medium.valueOf(options.storage().mediaType().name()),
        new WebhookConverter(webhooks::get, UUID::randomUUID, new ConversionMeters(metrics)));
  }
}
