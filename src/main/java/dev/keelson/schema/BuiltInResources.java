package dev.keelson.schema;

import static dev.keelson.api.Verb.CREATE;
import static dev.keelson.api.Verb.DELETE;
import static dev.keelson.api.Verb.GET;
import static dev.keelson.api.Verb.LIST;
import static dev.keelson.api.Verb.PATCH;
import static dev.keelson.api.Verb.UPDATE;
import static dev.keelson.api.Verb.WATCH;
import static dev.keelson.schema.GarbageCollectionPolicy.ORPHAN_DEPENDENTS;
import static dev.keelson.schema.GarbageCollectionPolicy.UNSUPPORTED;
import static dev.keelson.schema.NameRule.DNS_LABEL;
import static dev.keelson.schema.NameRule.PATH_SEGMENT;
import static dev.keelson.schema.Scope.CLUSTER;
import static dev.keelson.schema.Scope.NAMESPACED;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResetFields.FieldFilter;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.List;
import java.util.function.Function;

/**
 * The table of built-in resources. A built-in type is a proto message and a row here.
 *
 * <p>Names, verbs, key prefixes and the rules for writes follow kube-apiserver's registry (package
 * {@code pkg/registry}, one strategy a type), for clients and for an etcd that it filled. Groups
 * come in the order in which kube-apiserver lists them, since clients resolve a bare {@code
 * deployments} to the first group that has it; the preferred version of a group comes first.
 */
public final class BuiltInResources extends ResourceTable {

  private static final String API_REGISTRATION = "apiregistration.k8s.io";
  private static final String API_EXTENSIONS = "apiextensions.k8s.io";
  private static final GroupVersion APPS = new GroupVersion("apps", "v1");
  private static final GroupVersion AUTOSCALING_V2 = new GroupVersion("autoscaling", "v2");
  private static final GroupVersion BATCH = new GroupVersion("batch", "v1");
  private static final GroupVersion EXTENSIONS = new GroupVersion("extensions", "v1beta1");
  private static final GroupVersion NETWORKING = new GroupVersion("networking.k8s.io", "v1");
  private static final MapNode WHOLE = MapNode.EMPTY;
  private static final GroupVersionKind EVICTION = new GroupVersionKind("policy", "v1", "Eviction");
  private static final GroupVersionKind TOKEN_REQUEST =
      new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest");

  private BuiltInResources(String group, String version) {
    super(new GroupVersion(group, version));
  }

  /**
   * Every built-in resource, in the order of discovery.
   *
   * @param structs gives the schema of a message by its full name, for example {@code
   *     io.k8s.api.core.v1.Pod}; fields are not loaded here
   */
  public static List<ResourceDefinition> all(Function<String, StructSchema> structs) {
    BuiltInResources table = new BuiltInResources("", "v1");
    table.core();
    table.apiRegistration();
    table.apps();
    table.events();
    table.authenticationAndAuthorization();
    table.autoscaling();
    table.batch();
    table.certificates();
    table.networking();
    table.policy();
    table.rbac();
    table.storage();
    table.admissionRegistration();
    table.apiExtensions();
    table.schedulingCoordinationNodeAndDiscovery();
    table.dynamicResources();
    table.flowControl();
    table.access();
    table.extensions();
    return table.definitions(structs);
  }

  /** The resources of the audit trail, which are served only if there is a trail. */
  public static List<ResourceDefinition> trail(Function<String, StructSchema> structs) {
    BuiltInResources table = new BuiltInResources("audit.keelson.dev", "v1");
    table.virtual(NAMESPACED, "auditevents", "AuditEvent", GET, LIST, WATCH).shortNames("aev");
    return table.definitions(structs);
  }

  /** The AuditSinks, which are served only if they have an effect. */
  public static List<ResourceDefinition> auditSinks(Function<String, StructSchema> structs) {
    BuiltInResources table = new BuiltInResources("auditregistration.k8s.io", "v1alpha1");
    table.cluster("auditsinks", "AuditSink").generation();
    return table.definitions(structs);
  }

  /** The migrations of stored objects, which are served only if they are asked for. */
  public static List<ResourceDefinition> migrations(Function<String, StructSchema> structs) {
    BuiltInResources table = new BuiltInResources("storagemigration.k8s.io", "v1beta1");
    table.told("storageversionmigrations", "StorageVersionMigration");
    return table.definitions(structs);
  }

  /** The storage versions of the API servers, which are served only if they are asked for. */
  public static List<ResourceDefinition> storageVersions(Function<String, StructSchema> structs) {
    BuiltInResources table = new BuiltInResources("internal.apiserver.k8s.io", "v1alpha1");
    table.told("storageversions", "StorageVersion").named(PATH_SEGMENT);
    return table.definitions(structs);
  }

  private ResourceRow told(String name, String kind) {
    return cluster(name, kind).conditionalUpdate().status().statusKeepsAllMetadata();
  }

  private void core() {
    virtual(NAMESPACED, "bindings", "Binding", CREATE);
    virtual(CLUSTER, "componentstatuses", "ComponentStatus", GET, LIST)
        .shortNames("cs")
        .deprecated("v1.19", "", "");
    namespaced("configmaps", "ConfigMap").shortNames("cm");
    namespaced("endpoints", "Endpoints")
        .shortNames("ep")
        .keys("services/endpoints")
        .createOnUpdate()
        .deprecated("v1.33", "", "discovery.k8s.io/v1 EndpointSlice");
    // Old clients use any path segment as the name of an event; only events.k8s.io is strict.
    namespaced("events", "Event")
        .shortNames("ev")
        .named(PATH_SEGMENT)
        .createOnUpdate()
        .selectable("involvedObject.kind", "involvedObject.namespace", "involvedObject.name")
        .selectable("involvedObject.uid", "involvedObject.apiVersion")
        .selectable("involvedObject.resourceVersion", "involvedObject.fieldPath")
        .selectable("reason", "reportingComponent", "type")
        .selectableAt("source", "source.component", "reportingComponent")
        .garbageCollection(UNSUPPORTED);
    namespaced("limitranges", "LimitRange").shortNames("limits").createOnUpdate();
    // A collection of namespaces cannot be deleted at once.
    row(CLUSTER, "namespaces", "Namespace", without(Verb.DELETE_COLLECTION))
        .shortNames("ns")
        .named(DNS_LABEL)
        .status()
        .sub("finalize", version().kind("Namespace"), UPDATE)
        .selectable("status.phase")
        .withoutNamespaceLabel();
    cluster("nodes", "Node")
        .shortNames("no")
        .keys("minions")
        .status()
        // a kubelet registers its node with its status
        .statusOnCreate()
        .connect("proxy", "NodeProxyOptions", CREATE, DELETE, GET, PATCH, UPDATE)
        .selectable("spec.unschedulable")
        .withoutNamespaceLabel();
    namespaced("persistentvolumeclaims", "PersistentVolumeClaim").shortNames("pvc").status();
    cluster("persistentvolumes", "PersistentVolume").shortNames("pv").status();
    namespaced("pods", "Pod")
        .shortNames("po")
        .categories("all")
        .generation()
        .status()
        .part("ephemeralcontainers")
        .part("resize")
        .sub("log", version().kind("Pod"), GET)
        .sub("binding", version().kind("Binding"), CREATE)
        .sub("eviction", EVICTION, CREATE)
        .connect("attach", "PodAttachOptions", CREATE, GET)
        .connect("exec", "PodExecOptions", CREATE, GET)
        .connect("portforward", "PodPortForwardOptions", CREATE, GET)
        .connect("proxy", "PodProxyOptions", CREATE, DELETE, GET, PATCH, UPDATE)
        .selectable("spec.nodeName", "spec.restartPolicy", "spec.schedulerName")
        .selectable("spec.serviceAccountName", "spec.hostNetwork")
        .selectable("status.phase", "status.podIP", "status.nominatedNodeName")
        // can be selected, and is empty for every pod, as in kube-apiserver
        .selectableAt("status.podIPs")
        .formerLabel("spec.host", "spec.nodeName")
        // a deletion that the object does not show is ignored
        .statusKeepsMetadata("deletionTimestamp", "ownerReferences")
        .changes("ephemeralcontainers", only(MapNode.of("f:ephemeralContainers", WHOLE)))
        .changes("resize", only(sizes()));
    namespaced("podtemplates", "PodTemplate").generation();
    namespaced("replicationcontrollers", "ReplicationController")
        .shortNames("rc")
        .categories("all")
        .keys("controllers")
        .generation()
        .status()
        .scale()
        .selectable("status.replicas")
        .garbageCollection(ORPHAN_DEPENDENTS);
    namespaced("resourcequotas", "ResourceQuota").shortNames("quota").status();
    namespaced("secrets", "Secret").selectable("type");
    namespaced("serviceaccounts", "ServiceAccount")
        .shortNames("sa")
        .sub("token", TOKEN_REQUEST, CREATE);
    namespaced("services", "Service")
        .shortNames("svc")
        .categories("all")
        .keys("services/specs")
        .named(DNS_LABEL)
        .createOnUpdate()
        .status()
        .connect("proxy", "ServiceProxyOptions", CREATE, DELETE, GET, PATCH, UPDATE)
        .selectable("spec.clusterIP", "spec.type");
  }

  private void apiRegistration() {
    version(new GroupVersion(API_REGISTRATION, "v1"));
    cluster("apiservices", "APIService")
        .categories("api-extensions")
        .keys("apiregistration.k8s.io/apiservices")
        .named(PATH_SEGMENT)
        .conditionalUpdate()
        .status()
        .statusKeepsAllMetadata();
  }

  private void apps() {
    version(APPS);
    namespaced("controllerrevisions", "ControllerRevision");
    namespaced("daemonsets", "DaemonSet")
        .shortNames("ds")
        .categories("all")
        .generation()
        .status()
        // a field of the internal type, which apps versions have as an annotation
        .impliedAnnotation("deprecated.daemonset.template.generation", "0");
    namespaced("deployments", "Deployment")
        .shortNames("deploy")
        .categories("all")
        .generation()
        .status()
        .statusKeepsMetadata("labels")
        .scale();
    namespaced("replicasets", "ReplicaSet")
        .shortNames("rs")
        .categories("all")
        .generation()
        .status()
        .scale()
        .selectable("status.replicas");
    namespaced("statefulsets", "StatefulSet")
        .shortNames("sts")
        .categories("all")
        .generation()
        .status()
        .scale();
  }

  private void events() {
    version(new GroupVersion("events.k8s.io", "v1"));
    namespaced("events", "Event")
        .shortNames("ev")
        .storedAs(GroupVersion.CORE_V1)
        .createOnUpdate()
        .selectable("regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid")
        .selectable("regarding.apiVersion", "regarding.resourceVersion", "regarding.fieldPath")
        .selectable("reason", "reportingController", "type")
        .garbageCollection(UNSUPPORTED);
  }

  private void authenticationAndAuthorization() {
    version(new GroupVersion("authentication.k8s.io", "v1"));
    virtual(CLUSTER, "selfsubjectreviews", "SelfSubjectReview", CREATE);
    virtual(CLUSTER, "tokenreviews", "TokenReview", CREATE);
    version(new GroupVersion("authorization.k8s.io", "v1"));
    virtual(NAMESPACED, "localsubjectaccessreviews", "LocalSubjectAccessReview", CREATE);
    virtual(CLUSTER, "selfsubjectaccessreviews", "SelfSubjectAccessReview", CREATE);
    virtual(CLUSTER, "selfsubjectrulesreviews", "SelfSubjectRulesReview", CREATE);
    virtual(CLUSTER, "subjectaccessreviews", "SubjectAccessReview", CREATE);
  }

  private void autoscaling() {
    for (String served : List.of("v2", "v1")) {
      version(new GroupVersion("autoscaling", served));
      namespaced("horizontalpodautoscalers", "HorizontalPodAutoscaler")
          .shortNames("hpa")
          .categories("all")
          .storedAs(AUTOSCALING_V2)
          .status();
    }
  }

  private void batch() {
    version(BATCH);
    namespaced("cronjobs", "CronJob").shortNames("cj").categories("all").generation().status();
    namespaced("jobs", "Job")
        .categories("all")
        .generation()
        .status()
        .selectableAt("status.successful", "status.succeeded")
        .unsupportedLabel("field label \"%s\" not supported for batchv1.Job")
        .garbageCollection(ORPHAN_DEPENDENTS)
        .deletionWarning(
            "child pods are preserved by default when jobs are deleted; set"
                + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
                + " suppress this warning");
    version(new GroupVersion("batch", "v1beta1"));
    namespaced("cronjobs", "CronJob")
        .shortNames("cj")
        .categories("all")
        .storedAs(BATCH)
        .generation()
        .status()
        // a field of jobs; also accepted for cron jobs, where it is always empty
        .selectableAt("status.successful", "status.succeeded")
        .unsupportedLabel("field label \"%s\" not supported for \"CronJob\"")
        .garbageCollection(ORPHAN_DEPENDENTS)
        .deprecated("v1.21", "v1.25", "batch/v1 CronJob");
  }

  private void certificates() {
    version(new GroupVersion("certificates.k8s.io", "v1"));
    cluster("certificatesigningrequests", "CertificateSigningRequest")
        .shortNames("csr")
        .named(PATH_SEGMENT)
        .status()
        .updateKeepsSpec()
        // conditions decide; they and the certificate have subresources of their own
        .changes("status", allBut("f:conditions"))
        .part("approval")
        .changes("approval", allBut("f:certificate"))
        .selectable("spec.signerName")
        .withoutNamespaceLabel();
  }

  private void networking() {
    version(NETWORKING);
    cluster("ingressclasses", "IngressClass").generation();
    namespaced("ingresses", "Ingress").shortNames("ing").keys("ingress").generation().status();
    // Named after the address, and an IPv6 address has colons.
    cluster("ipaddresses", "IPAddress").shortNames("ip").named(PATH_SEGMENT);
    namespaced("networkpolicies", "NetworkPolicy").shortNames("netpol").generation();
    cluster("servicecidrs", "ServiceCIDR").status().statusKeepsAllMetadata();
  }

  private void policy() {
    version(new GroupVersion("policy", "v1"));
    namespaced("poddisruptionbudgets", "PodDisruptionBudget")
        .shortNames("pdb")
        // Kubernetes validates no metadata of budgets, beyond what every path needs
        .named(PATH_SEGMENT)
        .generation()
        .conditionalUpdate()
        .status();
  }

  private void rbac() {
    version(new GroupVersion("rbac.authorization.k8s.io", "v1"));
    cluster("clusterrolebindings", "ClusterRoleBinding").named(PATH_SEGMENT).createOnUpdate();
    cluster("clusterroles", "ClusterRole").named(PATH_SEGMENT).createOnUpdate();
    namespaced("rolebindings", "RoleBinding").named(PATH_SEGMENT).createOnUpdate();
    namespaced("roles", "Role").named(PATH_SEGMENT).createOnUpdate();
  }

  private void storage() {
    version(new GroupVersion("storage.k8s.io", "v1"));
    cluster("csidrivers", "CSIDriver").generation().conditionalUpdate();
    cluster("csinodes", "CSINode").conditionalUpdate();
    namespaced("csistoragecapacities", "CSIStorageCapacity").conditionalUpdate();
    cluster("storageclasses", "StorageClass").shortNames("sc");
    cluster("volumeattachments", "VolumeAttachment")
        .conditionalUpdate()
        .status()
        .statusKeepsAllMetadata();
    cluster("volumeattributesclasses", "VolumeAttributesClass").shortNames("vac");
  }

  private void admissionRegistration() {
    version(new GroupVersion("admissionregistration.k8s.io", "v1"));
    apiExtension("mutatingadmissionpolicies", "MutatingAdmissionPolicy");
    apiExtension("mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding");
    apiExtension("mutatingwebhookconfigurations", "MutatingWebhookConfiguration");
    apiExtension("validatingadmissionpolicies", "ValidatingAdmissionPolicy")
        .status()
        .statusKeepsAllMetadata();
    apiExtension("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding");
    apiExtension("validatingwebhookconfigurations", "ValidatingWebhookConfiguration");
  }

  private void apiExtensions() {
    version(new GroupVersion(API_EXTENSIONS, "v1"));
    apiExtension("customresourcedefinitions", "CustomResourceDefinition")
        .shortNames("crd", "crds")
        // kube-apiserver stores the kinds of its other servers below their groups
        .keys(API_EXTENSIONS + "/customresourcedefinitions")
        .status();
  }

  private void schedulingCoordinationNodeAndDiscovery() {
    version(new GroupVersion("scheduling.k8s.io", "v1"));
    cluster("priorityclasses", "PriorityClass").shortNames("pc").generation();
    version(new GroupVersion("coordination.k8s.io", "v1"));
    namespaced("leases", "Lease").createOnUpdate().conditionalUpdate();
    version(new GroupVersion("node.k8s.io", "v1"));
    cluster("runtimeclasses", "RuntimeClass").createOnUpdate().conditionalUpdate();
    version(new GroupVersion("discovery.k8s.io", "v1"));
    namespaced("endpointslices", "EndpointSlice").generation();
  }

  private void dynamicResources() {
    version(new GroupVersion("resource.k8s.io", "v1"));
    cluster("deviceclasses", "DeviceClass").generation();
    namespaced("resourceclaims", "ResourceClaim").status().statusKeepsAllMetadata();
    namespaced("resourceclaimtemplates", "ResourceClaimTemplate");
    cluster("resourceslices", "ResourceSlice")
        .generation()
        .selectable("spec.nodeName", "spec.driver");
  }

  private void flowControl() {
    version(new GroupVersion("flowcontrol.apiserver.k8s.io", "v1"));
    cluster("flowschemas", "FlowSchema").generation().status().statusKeepsAllMetadata();
    cluster("prioritylevelconfigurations", "PriorityLevelConfiguration")
        .generation()
        .status()
        .statusKeepsAllMetadata();
  }

  /**
   * The old versions of workloads. The group comes last and has no short names, so that kubectl
   * resolves neither names nor short names to it.
   */
  private void extensions() {
    version(EXTENSIONS);
    GroupVersionKind scale = version().kind("Scale");
    formerWorkload("daemonsets", "DaemonSet").garbageCollection(ORPHAN_DEPENDENTS);
    formerWorkload("deployments", "Deployment")
        .statusKeepsMetadata("labels")
        .garbageCollection(ORPHAN_DEPENDENTS)
        .scale(scale)
        .sub("rollback", version().kind("DeploymentRollback"), CREATE);
    namespaced("ingresses", "Ingress")
        .keys("ingress")
        .storedAs(NETWORKING)
        .generation()
        .status()
        .unsupportedLabel("field label \"%s\" not supported for \"Ingress\"")
        .deprecated("v1.14", "v1.22", "networking.k8s.io/v1 Ingress");
    namespaced("replicasets", "ReplicaSet")
        .storedAs(APPS)
        .generation()
        .status()
        .garbageCollection(ORPHAN_DEPENDENTS)
        .scale(scale)
        .selectable("status.replicas")
        .deprecated("v1.8", "v1.16", "apps/v1 ReplicaSet");
  }

  private ResourceRow formerWorkload(String plural, String kind) {
    return namespaced(plural, kind)
        .storedAs(APPS)
        .generation()
        .status()
        .unsupportedLabel("field label \"%s\" not supported for \"" + kind + "\"")
        .deprecated("v1.8", "v1.16", "apps/v1 " + kind);
  }

  /** Keelson's own: the namespaces that a user can see. */
  private void access() {
    version(new GroupVersion("access.keelson.dev", "v1"));
    virtual(CLUSTER, "visiblenamespaces", "VisibleNamespace", GET, LIST, WATCH).shortNames("vns");
  }

  /** Fields of the spec, and nothing else. */
  private static FieldFilter only(MapNode fields) {
    return new FieldFilter.Only(MapNode.of("f:spec", fields));
  }

  /** Everything but the spec and a field of the status. */
  private static FieldFilter allBut(String statusField) {
    return new FieldFilter.Except(
        MapNode.of("f:spec", WHOLE).with("f:status", MapNode.of(statusField, WHOLE)));
  }

  /** The fields of a pod's spec that a resize changes. */
  private static MapNode sizes() {
    MapNode ofContainers =
        MapNode.of(
            FieldFilter.Only.ANY, MapNode.of("f:resources", WHOLE).with("f:resizePolicy", WHOLE));
    return MapNode.of("f:containers", ofContainers)
        .with("f:initContainers", ofContainers)
        .with("f:resources", WHOLE);
  }

  private ResourceRow apiExtension(String plural, String kind) {
    return cluster(plural, kind).categories("api-extensions").generation().conditionalUpdate();
  }
}
