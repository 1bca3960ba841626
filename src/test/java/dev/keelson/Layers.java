package dev.keelson;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which package may use which, and which library, as data: what is not listed is denied. {@code
 * schema} is one package, {@code schema..} is it with everything below. A package that has no row
 * of its own is under the row of its nearest parent that ends in {@code ..}.
 */
final class Layers {

  static final String ROOT = "dev.keelson.";

  /** Packages that every other may use. */
  private static final Set<String> BELOW_ALL = Set.of(ROOT + "api", ROOT + "value", ROOT + "work");

  /** Libraries that every package may use. */
  private static final List<String> COMMON_LIBRARIES =
      List.of(
          "java.",
          "javax.",
          "org.jboss.logging.",
          "org.jspecify.annotations.",
          "com.google.errorprone.annotations.");

  private static final Map<String, List<String>> ROWS = new LinkedHashMap<>();

  private static final Map<String, List<String>> FENCES = new LinkedHashMap<>();

  static {
    // 0 and 1: plain values, and the seam to the store, which knows no schema
    row("api");
    row("value");
    row("work");
    row("collection");
    row("object");
    row("request");
    row("cache");
    row("pem");
    row("storage");
    row("storage.etcd", "storage", "pem");
    row("sqlite");
    row("storage.sqlite", "storage", "sqlite");
    row("storage.encryption", "storage");
    row("storage.encryption.kms", "storage.encryption", "storage", "cache");

    // 2: what a type is; the parts below schema do not see each other, but for the descriptors
    row("schema", "object", "collection");
    row("schema.proto", "schema", "object");
    row("schema.structural", "schema", "object");
    row("schema.structural.validation", "schema.structural", "schema", "object");
    row("schema.codec.tree", "schema.structural", "schema", "object");
    row("schema.codec.json", "schema.codec.tree", "object");
    row("schema.codec.yaml", "schema.codec.json", "schema.codec.tree", "object");
    row("schema.codec.protobuf", "schema.codec.json", "schema.codec.tree", "schema", "object");
    row(
        "schema.codec",
        "schema.codec.protobuf",
        "schema.codec.yaml",
        "schema.codec.json",
        "schema.codec.tree",
        "schema",
        "object");
    row(
        "schema.codec.stored",
        "schema.codec",
        "schema.codec.protobuf",
        "schema.codec.json",
        "schema.codec.tree",
        "schema",
        "object");
    row("schema.conversion", "schema", "object");
    row("schema.pod", "object");
    row("schema.defaulting", "schema.structural", "schema.pod", "schema", "object");
    // validation: one room a group over the shared one; the core group's rooms serve the others
    row("schema.validation", "schema", "object");
    row("schema.validation..", "schema.validation", "schema", "object");
    row("schema.validation.core.volume", "schema.validation", "schema", "object");
    row(
        "schema.validation.core.pod",
        "schema.validation",
        "schema.validation.core.volume",
        "schema.pod",
        "schema",
        "object");
    row(
        "schema.validation.core",
        "schema.validation",
        "schema.validation.core.pod",
        "schema",
        "object",
        "pem");
    row(
        "schema.validation.apps",
        "schema.validation",
        "schema.validation.core",
        "schema.validation.core.pod",
        "schema",
        "object");
    row("schema.validation.batch", "schema.validation", "schema.validation.core.pod", "object");
    row("schema.validation.networking", "schema.validation", "schema.validation.core");
    row("schema.validation.discovery", "schema.validation", "schema.validation.core");
    row("schema.validation.storagemigration", "schema.validation");
    row("schema.validation.apiserverinternal", "schema.validation");
    row("schema.validation.events", "schema.validation", "schema.validation.core");
    row("schema.validation.node", "schema.validation", "schema.validation.core.pod");
    row(
        "schema.validation.storage",
        "schema.validation",
        "schema.validation.core.volume",
        "object");
    row(
        "schema.validation.resource",
        "schema.validation",
        "schema.validation.core.pod",
        "schema.validation.core.volume",
        "object");
    row("schema.validation.certificates", "schema.validation", "pem");
    row("schema.validation.apiregistration", "schema.validation");
    row(
        "schema.validation.apiextensions",
        "schema.validation",
        "schema.structural",
        "schema",
        "object",
        "pem");
    row(
        "schema.validation.admissionregistration",
        "schema.validation",
        "schema.jsonpath",
        "schema",
        "object");
    row("schema.validation.builtin", "schema.validation..");
    row("schema.patch", "schema", "object");
    row("schema.apply", "schema", "object");
    row(
        "schema.openapi",
        "schema",
        "schema.openapi.operation",
        "schema.openapi.custom",
        "schema.openapi.gnostic",
        "schema.openapi.merge",
        "object");
    row("schema.openapi.operation", "schema", "object");
    row("schema.openapi.merge", "object");
    row("schema.openapi.custom", "object");
    row("schema.openapi.gnostic", "object");
    row("schema.jsonpath", "object");
    row("schema.table", "schema.jsonpath", "schema", "object");
    row("client", "object");
    row("client.rest", "client", "schema.codec", "schema.codec.json", "object");
    row("client.remote", "client.rest");
    row("client.informer", "client.rest", "schema.codec", "schema.codec.json", "object");
    row("client.election", "client.rest", "client.informer", "object");
    row("quota", "object");
    row("cel", "cel.compile", "cel.cost", "cel.library", "cel.plan", "cel.type");
    row("cel.library", "cel.type");
    row("cel.plan", "cel.type");
    row("cel.type", "object");
    row("cel.compile", "cel.library", "cel.plan", "cel.type");
    row("cel.cost", "cel.compile", "cel.type");
    row("cel.admission", "cel.compile", "cel.library", "cel.plan", "cel.type", "object");
    row(
        "cel.schema",
        "cel.compile",
        "cel.cost",
        "cel.plan",
        "cel.type",
        "schema",
        "schema.structural.validation",
        "object");
    row("webhook", "cache", "request", "object", "pem");

    // 3: objects in the store; who asks, and what is written down about it
    row("storage.object", "storage", "schema..", "object");
    row("authn", "request", "object", "client", "webhook");
    row("authn.jwt", "authn");
    row("authn..", "authn", "authn.jwt", "cache", "cel", "request", "object", "client", "webhook");
    row("audit.event", "request");
    row("audit", "audit.event", "request");
    row("audit.policy", "audit", "audit.event", "request", "object");
    row("audit.delivery", "audit", "audit.event");
    row("audit.log", "audit", "audit.event");
    row("audit.webhook", "audit", "audit.event");
    row("audit.trail", "audit", "audit.event", "request");
    row("audit.trail.sqlite", "audit.trail", "sqlite");
    row("audit.trail.postgresql", "audit.trail");
    row("audit.trail.postgresql.image");
    row("flow", "request", "object", "client");
    row("flow.rule", "request", "schema", "object");
    row("flow.queue");
    row("flow.level", "flow.rule", "flow.queue", "request", "schema", "object");
    row("aggregation", "schema", "object");

    // 4 to 6: caches and decisions, then what a request does to an object; the words of the storage
    // seam (Bytes, Read, WriteOutcome) are part of what storage.object says, its adapters are not
    row("watch", "storage.object", "storage", "schema", "object");
    row("authz", "request", "object", "client");
    row("authz..", "authz", "cache", "cel", "request", "object", "client");
    row("authz.webhook", "authz", "cache", "cel", "request", "object", "webhook");
    row("admission", "authz", "request", "schema..", "object", "client");
    row("admission.match", "admission", "schema", "object");
    row(
        "admission.expression",
        "admission",
        "authz",
        "cel.admission",
        "cel.library",
        "request",
        "schema",
        "object");
    row(
        "admission.webhook",
        "admission",
        "admission.expression",
        "admission.match",
        "authz",
        "cel.admission",
        "webhook",
        "request",
        "schema..",
        "object");
    row(
        "admission.policy",
        "admission",
        "admission.expression",
        "admission.match",
        "authz",
        "cel.admission",
        "cel.schema",
        "cel.type",
        "request",
        "schema..",
        "object");
    row("admission..", "admission", "authz", "request", "schema..", "object", "client");
    row(
        "admission.plugin",
        "admission..",
        "authz",
        "request",
        "schema",
        "schema.codec",
        "schema.codec.tree",
        "object");
    row(
        "admission.plugin.node",
        "admission",
        "authz",
        "quota",
        "request",
        "schema",
        "object",
        "pem");
    row("admission.plugin.certificate", "admission", "authz", "request", "object", "pem");
    row("admission.imagepolicy", "admission", "authz.webhook", "cache", "request", "object");
    row("admission.limits", "admission", "quota", "schema", "object");
    row("admission.quota", "admission", "quota", "schema", "object");
    row("registry", "storage", "schema..", "request", "object");
    row(
        "registry.read",
        "registry",
        "watch",
        "storage.object",
        "storage",
        "schema",
        "schema.codec.stored",
        "object");
    row(
        "registry.fieldmanager",
        "registry",
        "schema",
        "schema.codec",
        "schema.codec.tree",
        "schema.apply",
        "object");
    row(
        "registry.write",
        "registry",
        "registry.read",
        "registry.fieldmanager",
        "admission",
        "watch",
        "storage.object",
        "storage",
        "schema",
        "request",
        "object");
    row(
        "registry.generic",
        "registry",
        "registry.read",
        "registry.write",
        "registry.fieldmanager",
        "admission",
        "storage.object",
        "storage",
        "schema",
        "object");
    row(
        "registry.subresource",
        "registry",
        "registry.generic",
        "registry.read",
        "registry.write",
        "registry.fieldmanager",
        "storage",
        "schema",
        "object");
    row(
        "registry.client",
        "registry",
        "registry.generic",
        "registry.read",
        "registry.write",
        "watch",
        "storage.object",
        "storage",
        "schema",
        "schema.codec.json",
        "schema.codec.stored",
        "object",
        "client");
    row(
        "registry.conversion",
        "registry",
        "webhook",
        "schema",
        "schema.codec",
        "schema.codec.tree",
        "object");
    row("registry.namespace", "registry", "storage.object", "storage", "schema", "object");
    row("registry.service", "registry", "storage.object", "storage", "schema", "object");
    row("registry.core", "registry", "schema", "schema.codec", "request", "object");
    // one package an API group, for the strategies of its kinds
    row("registry..", "registry", "schema", "request", "object");

    // 7: the three ways in
    row(
        "http..",
        "http..",
        "cache",
        "aggregation",
        "webhook",
        "storage",
        "registry",
        "registry.generic",
        "registry.read",
        "registry.write",
        "registry.fieldmanager",
        "registry.subresource",
        "watch",
        "authn",
        "authz",
        "audit",
        "audit.event",
        "audit.trail",
        "flow",
        "admission",
        "schema..",
        "request",
        "object");
    row("http.endpoint", "http..", "request");
    row(
        "http.console",
        "http",
        "authn..",
        "cache",
        "request",
        "schema.codec",
        "schema.codec.tree",
        "object");
    row("http.fairness", "http", "flow.level", "flow.queue", "flow.rule", "request");
    row("http.loopback", "http", "client", "client.rest", "request");
    row("http.relay", "http", "request");
    row("http.stream", "http");
    row("http.page", "http", "http.relay");
    row("http.simulated", "http", "http.stream", "schema.codec", "object");
    row(
        "http.node",
        "http..",
        "registry",
        "registry.generic",
        "registry.read",
        "authz",
        "schema",
        "schema.codec",
        "schema.codec.tree",
        "request",
        "object");
    row("controller", "client", "schema", "object");
    row("controller..", "controller", "client", "schema", "object");
    row(
        "controller.aggregation",
        "controller",
        "aggregation",
        "webhook",
        "client",
        "schema",
        "object");
    row("controller.event", "controller", "client", "client.rest", "object");
    row(
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "schema.codec",
        "object");
    row(
        "controller.deployment",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.replicaset",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "schema.codec",
        "object");
    row(
        "controller.manager",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "client.election");
    row(
        "controller.job",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row("controller.service", "controller", "client", "object");
    row("controller.storage", "controller", "client", "object");
    row(
        "controller.discovery",
        "controller.service",
        "controller.storage",
        "controller.workload",
        "controller.manager",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "schema",
        "schema.codec",
        "object");
    row(
        "controller.storageversion",
        "controller.workload",
        "controller.manager",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.storagemigration",
        "controller.workload",
        "controller.manager",
        "controller",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.ttlafterfinished",
        "controller.workload",
        "controller",
        "client.rest",
        "client.informer",
        "client");
    row(
        "controller.cronjob",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.endpoint",
        "controller.manager",
        "controller.event",
        "controller.fit",
        "controller.workload",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.autoscaler",
        "controller.manager",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.mirroring",
        "controller.endpoint",
        "controller.manager",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.ipam",
        "controller.manager",
        "controller.event",
        "controller",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.node",
        "controller.fit",
        "controller.manager",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "client.election",
        "object");
    row("controller.fit", "object");
    row(
        "controller.volume",
        "controller.fit",
        "controller.manager",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.devicetaint",
        "controller.manager",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.resourceclaim",
        "controller.manager",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.token",
        "controller.manager",
        "controller.workload",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.certificate",
        "controller.manager",
        "controller.workload",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object",
        "pem");
    row(
        "scheduler.volume",
        "controller.volume",
        "controller.workload",
        "controller.fit",
        "controller.manager",
        "client.informer",
        "object");
    row(
        "scheduler.device",
        "cel",
        "controller.event",
        "controller.fit",
        "controller.manager",
        "controller.workload",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "scheduler",
        "scheduler.device",
        "scheduler.volume",
        "controller.fit",
        "controller",
        "controller.manager",
        "controller.event",
        "controller.workload",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "simulation",
        "controller",
        "controller.event",
        "controller.fit",
        "controller.workload",
        "client",
        "client.rest",
        "client.informer",
        "client.election",
        "schema.codec",
        "object");
    row(
        "controller.statefulset",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.daemonset",
        "controller.fit",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.disruption",
        "controller.manager",
        "controller.workload",
        "controller.event",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row(
        "controller.podgc",
        "controller.workload",
        "controller",
        "client",
        "client.rest",
        "client.informer",
        "object");
    row("controller.quota", "controller", "quota", "client", "schema", "object");
    row("controller.customresource", "controller", "client", "schema", "object", "pem");
    row("controller.bootstrap", "controller", "client", "schema", "object", "pem");
    row("controller.serviceaccount", "controller", "client", "object", "pem");
    row("console");

    // 8 and 9: flags become options records, and one package puts everything together
    row(
        "config.option",
        "authn..",
        "authz",
        "admission..",
        "audit",
        "audit.delivery",
        "audit.log",
        "storage");
    row("config.flag", "config.option");
    row("config.kubernetes", "config.flag");
    row("config.source", "config.flag", "config.kubernetes");
    row(
        "config.component",
        "config.source",
        "config.kubernetes",
        "config.flag",
        "config.option",
        "authz");
    row(
        "config",
        "config.component",
        "config.option",
        "config.flag",
        "config.kubernetes",
        "config.source",
        "authn..",
        "authz",
        "admission..",
        "audit",
        "audit.delivery",
        "audit.log");
    row(
        "server.tracing",
        "server.lifecycle",
        "request",
        "schema.codec",
        "schema.codec.tree",
        "object");
    row("server.page", "http..", "schema.codec", "object");
    row("server.profile", "http");
    row("server.log", "config.option", "schema.codec", "object");
    row("server.image");
    row("server.pki", "pem");
    row("server.lifecycle", "controller", "http..");
    row("server.health", "http..", "flow", "storage");
    row("server.tls", "cache", "server.pki", "server.lifecycle", "config.option", "pem");
    row(
        "server.encryption",
        "controller",
        "http..",
        "request",
        "storage.encryption.kms",
        "server.lifecycle",
        "server.metrics",
        "config.option",
        "storage.encryption",
        "storage",
        "schema.codec",
        "schema.codec.tree",
        "object");
    row("server.store", "controller", "config.option", "storage..", "schema", "http..", "request");
    row(
        "server.tool",
        "server.store",
        "server.lifecycle",
        "server.standalone",
        "config.option",
        "storage..",
        "schema..",
        "object");
    row(
        "server.cache",
        "server.store",
        "admission.webhook",
        "aggregation",
        "webhook",
        "client",
        "config.option",
        "controller..",
        "http..",
        "admission.policy",
        "authz..",
        "registry..",
        "watch",
        "storage..",
        "schema",
        "schema.codec.json",
        "request",
        "object");
    row(
        "server.flow",
        "server.cache",
        "controller",
        "http..",
        "flow..",
        "watch",
        "storage",
        "storage.object",
        "schema",
        "request",
        "object");
    row(
        "server.quota",
        "server.cache",
        "admission",
        "admission.quota",
        "quota",
        "storage",
        "storage.object",
        "client",
        "object");
    row(
        "server.controller",
        "client",
        "server.pki",
        "config.option",
        "http.loopback",
        "http.simulated",
        "request",
        "scheduler",
        "simulation",
        "client.election",
        "client.informer",
        "controller..",
        "registry..",
        "watch",
        "storage",
        "storage.object",
        "schema..",
        "object");
    row(
        "server.metrics",
        "authn..",
        "config.option",
        "storage.encryption.kms",
        "server.lifecycle",
        "schema.codec",
        "schema.codec.tree",
        "object",
        "controller.aggregation",
        "http..",
        "registry.read",
        "watch",
        "storage",
        "storage.object",
        "schema",
        "webhook");
    row(
        "server.registry",
        "cache",
        "server.lifecycle",
        "webhook",
        "cel",
        "cel.admission",
        "cel.schema",
        "controller..",
        "http..",
        "registry..",
        "admission..",
        "authz..",
        "storage",
        "storage.object",
        "schema..",
        "request",
        "object");
    row("server.identity.configuration", "authz..", "authn..", "cel", "schema..", "object", "pem");
    row(
        "server.identity",
        "server.identity.configuration",
        "admission.plugin",
        "webhook",
        "server.lifecycle",
        "server.tls",
        "server.pki",
        "server.cache",
        "config.option",
        "controller..",
        "http..",
        "registry..",
        "admission",
        "authz..",
        "authn..",
        "cel",
        "client",
        "schema..",
        "request",
        "object",
        "pem");
    row(
        "server.audit",
        "server.cache",
        "webhook",
        "object",
        "server.lifecycle",
        "server.identity",
        "config.option",
        "http..",
        "audit..",
        "authn",
        "schema..");
    row(
        "server.standalone",
        "server.controller",
        "server.health",
        "server.identity",
        "server.lifecycle",
        "server.pki",
        "server.tls",
        "config.option",
        "controller..",
        "quota",
        "http..",
        "authn..",
        "authz..",
        "request",
        "schema..",
        "client..",
        "object");
    row(
        "server.embedded",
        "client.rest",
        "http",
        "request",
        "schema",
        "schema.codec",
        "storage",
        "object");
    row(
        "server",
        "audit.trail",
        "webhook",
        "server..",
        "aggregation",
        "webhook",
        "config..",
        "controller..",
        "http..",
        "registry..",
        "admission..",
        "quota",
        "authz..",
        "watch",
        "flow..",
        "authn..",
        "client",
        "storage..",
        "schema..",
        "request",
        "object",
        "pem");

    fence("io.etcd.", "storage.etcd", "server..");
    fence("io.grpc.", "storage.etcd", "storage.encryption.kms", "server..");
    fence("io.opentelemetry.", "server.tracing");
    fence("io.netty.", "http..", "storage.etcd", "storage.encryption.kms", "server..");
    fence(
        "java.sql.", "storage.sqlite", "audit.trail.sqlite", "audit.trail.postgresql", "server..");
    fence("org.hibernate.", "audit.trail.postgresql..");
    fence("org.flywaydb.", "audit.trail.postgresql..");
    fence("jakarta.persistence.", "audit.trail.postgresql");
    fence("org.sqlite.", "sqlite", "storage.sqlite", "audit.trail.sqlite", "server..");
    fence(
        "com.google.protobuf.",
        "schema.proto",
        "schema.codec",
        "storage.encryption.kms",
        "storage.etcd",
        "cel..",
        "server..");
    fence("dev.cel.", "cel..");
    fence("com.google.common.", "cel..");
    fence(
        "com.google.re2j.",
        "schema.structural.validation",
        "schema.validation.apiextensions",
        "http..",
        "cel..");
    fence("com.cronutils.", "controller.cronjob");
    fence("com.github.benmanes.caffeine.", "cache", "authn..", "webhook");
    fence("com.fasterxml.jackson.", "schema.codec.json");
    fence("org.snakeyaml.", "schema.codec.yaml", "config.source");
    fence("jakarta.ws.rs.", "http.endpoint");
    fence("org.jboss.resteasy.reactive.", "http.endpoint");
    fence("io.quarkus.resteasy.reactive.", "http.endpoint");
    fence("io.vertx.", "client.remote", "http..", "audit.trail.postgresql", "console", "server..");
    fence("jdk.net.", "http..", "server..");
    fence("io.smallrye.jwt.", "authn.jwt");
    fence("io.smallrye.", "http..", "console", "server..");
    fence("org.graalvm.", "server.lifecycle", "server.image");
    fence("com.oracle.svm.", "audit.trail.postgresql.image");
    fence("io.quarkus.", "http..", "console", "server..");
    fence("jakarta.", "http..", "console", "server..");
    fence("io.micrometer.", "http..", "server..");
    // what Micrometer registers in; for the one type of metric that it lacks
    fence("io.prometheus.", "http..", "server..");
    fence("org.bouncycastle.", "pem", "server.pki", "controller.certificate", "storage.encryption");
    fence("org.jose4j.", "authn.jwt");
    fence(
        "org.jboss.logging.",
        "audit..",
        "client.election",
        "storage.etcd",
        "sqlite",
        "storage.sqlite",
        "watch",
        "registry..",
        "http..",
        "controller..",
        "scheduler",
        "server..");
    fence("org.jboss.logmanager.", "server.standalone", "server.log");
    fence("jdk.jfr.", "server.profile");
    fence("com.sun.management.", "server..");
    fence("org.graalvm.", "server..");
  }

  private Layers() {}

  private static void row(String name, String... allowed) {
    ROWS.put(name, List.of(allowed));
  }

  private static void fence(String library, String... users) {
    FENCES.put(library, List.of(users));
  }

  /** The names of all rows and of all that they may use, to be checked for slips of the pen. */
  static Set<String> unknownNames() {
    Set<String> unknown = new TreeSet<>();
    List<String> used = new ArrayList<>();
    ROWS.values().forEach(used::addAll);
    FENCES.values().forEach(used::addAll);
    for (String name : used) {
      String bare = name.endsWith("..") ? name.substring(0, name.length() - 2) : name;
      if (!ROWS.containsKey(bare) && !ROWS.containsKey(bare + "..")) {
        unknown.add(name);
      }
    }
    return unknown;
  }

  /** The row that governs a package, or empty when the table does not know it. */
  static Optional<String> rowOf(String packageName) {
    if (!packageName.startsWith(ROOT)) {
      return Optional.empty();
    }
    String name = packageName.substring(ROOT.length());
    if (ROWS.containsKey(name)) {
      return Optional.of(name);
    }
    for (String parent = name; !parent.isEmpty(); parent = parentOf(parent)) {
      if (ROWS.containsKey(parent + "..")) {
        return Optional.of(parent + "..");
      }
    }
    return Optional.empty();
  }

  /** Whether code in one of Keelson's packages may use code in another. */
  static boolean allows(String fromPackage, String toPackage) {
    if (fromPackage.equals(toPackage) || BELOW_ALL.contains(toPackage)) {
      return true;
    }
    String to = toPackage.substring(ROOT.length());
    return rowOf(fromPackage).stream()
        .flatMap(row -> ROWS.getOrDefault(row, List.of()).stream())
        .anyMatch(allowed -> matches(allowed, to));
  }

  /** Whether code in one of Keelson's packages may use a library's or the JDK's class. */
  static boolean allowsLibrary(String fromPackage, String className) {
    String from = fromPackage.substring(ROOT.length());
    for (Map.Entry<String, List<String>> fence : FENCES.entrySet()) {
      if (className.startsWith(fence.getKey())) {
        return fence.getValue().stream().anyMatch(user -> matches(user, from));
      }
    }
    return COMMON_LIBRARIES.stream().anyMatch(className::startsWith);
  }

  private static boolean matches(String pattern, String name) {
    if (!pattern.endsWith("..")) {
      return pattern.equals(name);
    }
    String root = pattern.substring(0, pattern.length() - 2);
    return name.equals(root) || name.startsWith(root + ".");
  }

  private static String parentOf(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(0, dot);
  }
}
