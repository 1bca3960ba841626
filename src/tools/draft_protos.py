#!/usr/bin/env python3
"""Drafts src/main/proto from a folder of facts about the Kubernetes API.

Usage: draft_protos.py FACTS_DIR OUTPUT_DIR [COMMENTS_DIR]

The facts are types.jsonl (structs with their JSON and protobuf names and flags), enums.json (string constants by type) and
resources.jsonl (served resources). From the kinds that are served, and a few that only travel in requests and answers, the tool
follows every field and writes one proto3 file a package with the options of keelson/options.proto; what the facts do not know
(static defaults, immutable fields, structs that server-side apply owns as a whole, closed value sets without constants) is in the
tables below. COMMENTS_DIR may hold <package with '.' for '/'>.txt, lines "Message: text" and "Message.jsonName: text", which become
the comments. It is a drafting tool for the day when a new Kubernetes version brings new types: the build never runs it, the .proto
files are the truth once they are committed, and a new draft is merged into them by hand.
"""

import json
import pathlib
import re
import sys
import textwrap

SKIPPED_GROUPS = {
    "internal.apiserver.k8s.io", "storagemigration.k8s.io", "apiregistration.k8s.io",
}

# Kinds that no row of resources.jsonl names: old groups, request and answer bodies, values that only the store holds.
EXTRA_ROOTS = {
    "core/v1": ["RangeAllocation", "PodLogOptions", "PodAttachOptions", "PodExecOptions", "PodPortForwardOptions",
                "PodProxyOptions", "NodeProxyOptions", "ServiceProxyOptions"],
    "extensions/v1beta1": ["DaemonSet", "Deployment", "Ingress", "ReplicaSet", "Scale", "DeploymentRollback"],
    "batch/v1beta1": ["CronJob"],
    "autoscaling/v1": ["Scale", "HorizontalPodAutoscaler"],
    "policy/v1": ["Eviction"],
    "authentication/v1": ["TokenRequest"],
    "meta/v1": ["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "ApplyOptions", "Condition", "CreateOptions",
                "DeleteOptions", "FieldsV1", "GetOptions", "GroupVersionForDiscovery", "LabelSelector", "List", "ListMeta",
                "ListOptions", "ObjectMeta", "PartialObjectMetadata", "PartialObjectMetadataList", "PatchOptions", "RootPaths",
                "Status", "Table", "TableOptions", "UpdateOptions", "WatchEvent"],
    "meta/v1beta1": ["PartialObjectMetadataList"],
}

# Types with an encoding of their own: package, message, encoding, fields.
OWN_ENCODING = {
    ("meta/v1", "Time"): ("TIME", ["int64 seconds = 1;", "int32 nanos = 2;"]),
    ("meta/v1", "MicroTime"): ("MICRO_TIME", ["int64 seconds = 1;", "int32 nanos = 2;"]),
    ("meta/v1", "Duration"): ("DURATION", ["int64 duration = 1;"]),
    ("meta/v1", "FieldsV1"): ("FIELDS_V1", ["bytes raw = 1 [json_name = \"Raw\"];"]),
    ("meta/v1", "Verbs"): ("STRING_LIST", ["repeated string items = 1;"]),
    ("authentication/v1", "ExtraValue"): ("STRING_LIST", ["repeated string items = 1;"]),
    ("authorization/v1", "ExtraValue"): ("STRING_LIST", ["repeated string items = 1;"]),
    ("certificates/v1", "ExtraValue"): ("STRING_LIST", ["repeated string items = 1;"]),
    ("api/resource", "Quantity"): ("QUANTITY", ["string string = 1;"]),
    ("util/intstr", "IntOrString"): (
        "INT_OR_STRING",
        ["// 0: a number, 1: a string.", "int64 type = 1;", "int32 int_val = 2;", "string str_val = 3;"]),
    ("runtime", "RawExtension"): ("RAW_JSON", ["bytes raw = 1;"]),
    ("apiextensions/v1", "JSON"): ("ANY_JSON", ["bytes raw = 1;"]),
    ("apiextensions/v1", "JSONSchemaPropsOrArray"): (
        "UNION", ["JSONSchemaProps schema = 1;", "repeated JSONSchemaProps json_schemas = 2;"]),
    ("apiextensions/v1", "JSONSchemaPropsOrBool"): (
        "UNION", ["bool allows = 1 [(keelson.field) = {always: true}];", "JSONSchemaProps schema = 2;"]),
    ("apiextensions/v1", "JSONSchemaPropsOrStringArray"): (
        "UNION", ["JSONSchemaProps schema = 1;", "repeated string property = 2;"]),
}

PROTO_PACKAGE = {
    "meta/v1": "io.k8s.apimachinery.pkg.apis.meta.v1",
    "meta/v1beta1": "io.k8s.apimachinery.pkg.apis.meta.v1beta1",
    "api/resource": "io.k8s.apimachinery.pkg.api.resource",
    "util/intstr": "io.k8s.apimachinery.pkg.util.intstr",
    "runtime": "io.k8s.apimachinery.pkg.runtime",
    # protobuf has no hyphens in names: the reader turns each underscore of a package into one
    "apiextensions/v1": "io.k8s.apiextensions_apiserver.pkg.apis.apiextensions.v1",
}

# Go package names as the type expressions use them. "v1" is the core group outside of core and meta.
GO_ALIAS = {"metav1": "meta/v1", "batchv1": "batch/v1", "corev1": "core/v1", "apiv1": "core/v1", "v1": "core/v1", "resource": "api/resource",
            "intstr": "util/intstr", "runtime": "runtime"}

# Named slices and maps.
NAMED = {"ResourceList": "map[string]resource.Quantity", "JSONSchemaDependencies": "map[string]JSONSchemaPropsOrStringArray",
         "JSONSchemaDefinitions": "map[string]JSONSchemaProps", "ValidationRules": "[]ValidationRule"}

SCALARS = {"string": "string", "bool": "bool", "int32": "int32", "int64": "int64", "uint32": "uint32", "uint64": "uint64",
           "float64": "double", "int": "int64", "[]byte": "bytes"}

# Constants whose list is not closed, or too long to be of use.
OPEN_SETS = {"ResourceName", "Signal", "FinalizerName", "SecretType", "StatusReason", "CauseType", "LimitType", "StorageMedium",
             "GroupName", "ConversionStrategyType", "ResourceScope"}

EXTRA_ENUMS = {
    "PathType": ["Exact", "Prefix", "ImplementationSpecific"],
    "AddressType": ["IPv4", "IPv6", "FQDN"],
    "IPFamily": ["IPv4", "IPv6"],
    "DeviceAllocationMode": ["ExactCount", "All"],
}
FIELD_ENUMS = {
    "dryRun": ["All"],
    "fieldValidation": ["Ignore", "Warn", "Strict"],
    "meta/v1.Status.status": ["Success", "Failure"],
    "meta/v1.WatchEvent.type": ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"],
    "meta/v1.ManagedFieldsEntry.fieldsType": ["FieldsV1"],
    "core/v1.ServiceSpec.trafficDistribution": ["PreferClose", "PreferSameZone", "PreferSameNode"],
    "core/v1.PodLogOptions.stream": ["All", "Stdout", "Stderr"],
    "networking/v1.IngressClassParametersReference.scope": ["Cluster", "Namespace"],
}

# Structs that server-side apply owns as a whole.
ATOMIC = {
    "core/v1": ["ConfigMapKeySelector", "EndpointAddress", "EndpointPort", "FileKeySelector", "LocalObjectReference", "NodeSelector",
                "NodeSelectorTerm", "ObjectFieldSelector", "ObjectReference", "ResourceFieldSelector", "ScopeSelector",
                "SecretKeySelector", "SecretReference", "TopologySelectorTerm", "TypedLocalObjectReference"],
    "meta/v1": ["LabelSelector", "OwnerReference"],
    "admissionregistration/v1": ["MatchResources", "NamedRuleWithOperations", "ParamKind", "ParamRef"],
    "autoscaling/v1": ["CrossVersionObjectReference"],
    "discovery/v1": ["EndpointPort"],
    "networking/v1": ["ServiceBackendPort"],
    "rbac/v1": ["RoleRef", "Subject"],
}

# Messages that draft another object: what is immutable in that object may still change in the draft.
TEMPLATES = {"core/v1.PodTemplateSpec", "batch/v1.JobTemplateSpec", "batch/v1beta1.JobTemplateSpec",
             "core/v1.PersistentVolumeClaimTemplate"}

# Defaults that hold wherever the message stands, as JSON. A default that depends on other fields is the work of code.
DEFAULTS = {
    "core/v1": {
        "Container.terminationMessagePath": "/dev/termination-log", "Container.terminationMessagePolicy": "File",
        "EphemeralContainerCommon.terminationMessagePath": "/dev/termination-log",
        "EphemeralContainerCommon.terminationMessagePolicy": "File",
        "Probe.timeoutSeconds": 1, "Probe.periodSeconds": 10, "Probe.successThreshold": 1, "Probe.failureThreshold": 3,
        "HTTPGetAction.path": "/", "HTTPGetAction.scheme": "HTTP",
        "PodSpec.dnsPolicy": "ClusterFirst", "PodSpec.restartPolicy": "Always", "PodSpec.securityContext": {},
        "PodSpec.terminationGracePeriodSeconds": 30, "PodSpec.schedulerName": "default-scheduler",
        "SecretVolumeSource.defaultMode": 420, "ConfigMapVolumeSource.defaultMode": 420,
        "DownwardAPIVolumeSource.defaultMode": 420, "ProjectedVolumeSource.defaultMode": 420,
        "ServiceAccountTokenProjection.expirationSeconds": 3600, "HostPathVolumeSource.type": "",
        "ObjectFieldSelector.apiVersion": "v1", "EndpointPort.protocol": "TCP",
        "ServiceSpec.type": "ClusterIP", "ServiceSpec.sessionAffinity": "None", "ClientIPConfig.timeoutSeconds": 10800,
        "Secret.type": "Opaque", "NamespaceStatus.phase": "Active",
        "PersistentVolumeSpec.persistentVolumeReclaimPolicy": "Retain", "PersistentVolumeSpec.volumeMode": "Filesystem",
        "PersistentVolumeStatus.phase": "Pending", "PersistentVolumeClaimSpec.volumeMode": "Filesystem",
        "PersistentVolumeClaimStatus.phase": "Pending",
        "AzureDiskVolumeSource.cachingMode": "ReadWrite", "AzureDiskVolumeSource.kind": "Shared",
    },
    "apps/v1": {
        "DeploymentSpec.replicas": 1, "DeploymentStrategy.type": "RollingUpdate", "DeploymentSpec.revisionHistoryLimit": 10,
        "DeploymentSpec.progressDeadlineSeconds": 600, "RollingUpdateDeployment.maxUnavailable": "25%",
        "RollingUpdateDeployment.maxSurge": "25%", "ReplicaSetSpec.replicas": 1,
        "DaemonSetUpdateStrategy.type": "RollingUpdate", "DaemonSetSpec.revisionHistoryLimit": 10,
        "RollingUpdateDaemonSet.maxUnavailable": 1, "RollingUpdateDaemonSet.maxSurge": 0,
        "StatefulSetSpec.replicas": 1, "StatefulSetSpec.podManagementPolicy": "OrderedReady",
        "StatefulSetSpec.revisionHistoryLimit": 10, "StatefulSetUpdateStrategy.type": "RollingUpdate",
        "RollingUpdateStatefulSetStrategy.partition": 0,
        "StatefulSetSpec.persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
        "StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted": "Retain",
        "StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled": "Retain",
    },
    "extensions/v1beta1": {
        "DeploymentSpec.replicas": 1, "DeploymentStrategy.type": "RollingUpdate",
        "DeploymentSpec.revisionHistoryLimit": 2147483647, "DeploymentSpec.progressDeadlineSeconds": 2147483647,
        "RollingUpdateDeployment.maxUnavailable": 1, "RollingUpdateDeployment.maxSurge": 1, "ReplicaSetSpec.replicas": 1,
        "DaemonSetUpdateStrategy.type": "OnDelete", "DaemonSetSpec.revisionHistoryLimit": 10,
        "RollingUpdateDaemonSet.maxUnavailable": 1, "RollingUpdateDaemonSet.maxSurge": 0,
        "HTTPIngressPath.pathType": "ImplementationSpecific",
    },
    "batch/v1": {
        "CronJobSpec.concurrencyPolicy": "Allow", "CronJobSpec.suspend": False, "CronJobSpec.successfulJobsHistoryLimit": 3,
        "CronJobSpec.failedJobsHistoryLimit": 1, "PodFailurePolicyOnPodConditionsPattern.status": "True",
    },
    "batch/v1beta1": {
        "CronJobSpec.concurrencyPolicy": "Allow", "CronJobSpec.suspend": False, "CronJobSpec.successfulJobsHistoryLimit": 3,
        "CronJobSpec.failedJobsHistoryLimit": 1,
    },
    "autoscaling/v1": {"HorizontalPodAutoscalerSpec.minReplicas": 1},
    "autoscaling/v2": {"HorizontalPodAutoscalerSpec.minReplicas": 1},
    "networking/v1": {"NetworkPolicyPort.protocol": "TCP", "IngressClassParametersReference.scope": "Cluster"},
    "discovery/v1": {"EndpointPort.name": "", "EndpointPort.protocol": "TCP"},
    "rbac/v1": {"RoleRef.apiGroup": "rbac.authorization.k8s.io"},
    "scheduling/v1": {"PriorityClass.preemptionPolicy": "PreemptLowerPriority"},
    "storage/v1": {
        "StorageClass.reclaimPolicy": "Delete", "StorageClass.volumeBindingMode": "Immediate", "CSIDriverSpec.attachRequired": True,
        "CSIDriverSpec.podInfoOnMount": False, "CSIDriverSpec.storageCapacity": False, "CSIDriverSpec.requiresRepublish": False,
        "CSIDriverSpec.seLinuxMount": False, "CSIDriverSpec.fsGroupPolicy": "ReadWriteOnceWithFSType",
        "CSIDriverSpec.volumeLifecycleModes": ["Persistent"],
    },
    "flowcontrol/v1": {
        "FlowSchemaSpec.matchingPrecedence": 1000, "LimitedPriorityLevelConfiguration.nominalConcurrencyShares": 30,
        "LimitedPriorityLevelConfiguration.lendablePercent": 0, "ExemptPriorityLevelConfiguration.nominalConcurrencyShares": 0,
        "ExemptPriorityLevelConfiguration.lendablePercent": 0, "QueuingConfiguration.queues": 64,
        "QueuingConfiguration.handSize": 8, "QueuingConfiguration.queueLengthLimit": 50,
    },
    "admissionregistration/v1": {
        "MutatingWebhook.failurePolicy": "Fail", "MutatingWebhook.matchPolicy": "Equivalent",
        "MutatingWebhook.namespaceSelector": {}, "MutatingWebhook.objectSelector": {}, "MutatingWebhook.timeoutSeconds": 10,
        "MutatingWebhook.reinvocationPolicy": "Never", "ValidatingWebhook.failurePolicy": "Fail",
        "ValidatingWebhook.matchPolicy": "Equivalent", "ValidatingWebhook.namespaceSelector": {},
        "ValidatingWebhook.objectSelector": {}, "ValidatingWebhook.timeoutSeconds": 10, "ServiceReference.port": 443,
        "Rule.scope": "*", "ValidatingAdmissionPolicySpec.failurePolicy": "Fail",
        "MutatingAdmissionPolicySpec.failurePolicy": "Fail", "MatchResources.matchPolicy": "Equivalent",
        "MatchResources.namespaceSelector": {}, "MatchResources.objectSelector": {},
    },
    "authentication/v1": {"TokenRequestSpec.expirationSeconds": 3600},
    "apiextensions/v1": {"ServiceReference.port": 443, "CustomResourceDefinitionSpec.conversion": {"strategy": "None"}},
}

CONTAINER_FIXED = ["name", "command", "args", "env", "envFrom", "imagePullPolicy", "lifecycle", "livenessProbe", "readinessProbe",
                   "startupProbe", "ports", "resources", "restartPolicy", "restartPolicyRules", "securityContext", "stdin",
                   "stdinOnce", "tty", "terminationMessagePath", "terminationMessagePolicy", "volumeDevices", "volumeMounts",
                   "workingDir"]
# Fields that no update changes, without a condition on other fields.
IMMUTABLE = {
    "meta/v1": {"ObjectMeta": ["name", "namespace", "uid", "creationTimestamp"]},
    "core/v1": {
        "Container": CONTAINER_FIXED,
        "EphemeralContainerCommon": CONTAINER_FIXED + ["image"],
        "EphemeralContainer": ["targetContainerName"],
        "PodSpec": ["volumes", "restartPolicy", "dnsPolicy", "serviceAccountName", "serviceAccount", "automountServiceAccountToken",
                    "hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "securityContext", "imagePullSecrets",
                    "hostname", "subdomain", "schedulerName", "hostAliases", "priorityClassName", "priority", "dnsConfig",
                    "readinessGates", "runtimeClassName", "enableServiceLinks", "preemptionPolicy", "overhead",
                    "topologySpreadConstraints", "setHostnameAsFQDN", "os", "hostUsers", "resourceClaims", "hostnameOverride"],
        "Secret": ["type"],
        "PersistentVolumeClaimSpec": ["accessModes", "selector", "volumeMode", "dataSource", "dataSourceRef"],
        "PersistentVolumeSpec": ["volumeMode"],
        "PersistentVolumeSource": ["gcePersistentDisk", "awsElasticBlockStore", "hostPath", "glusterfs", "nfs", "rbd", "iscsi",
                                   "cinder", "cephfs", "fc", "flocker", "flexVolume", "azureFile", "vsphereVolume", "quobyte",
                                   "azureDisk", "photonPersistentDisk", "portworxVolume", "scaleIO", "local", "storageos"],
        "ResourceQuotaSpec": ["scopes"],
    },
    "apps/v1": {
        "DeploymentSpec": ["selector"], "ReplicaSetSpec": ["selector"], "DaemonSetSpec": ["selector"],
        "StatefulSetSpec": ["selector", "serviceName", "podManagementPolicy", "volumeClaimTemplates"],
        "ControllerRevision": ["data"],
    },
    "batch/v1": {"JobSpec": ["selector", "completionMode", "podFailurePolicy", "successPolicy", "backoffLimitPerIndex", "managedBy"]},
    "storage/v1": {
        "StorageClass": ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"],
        "CSIDriverSpec": ["attachRequired", "volumeLifecycleModes"], "CSIStorageCapacity": ["nodeTopology", "storageClassName"],
        "VolumeAttachment": ["spec"], "VolumeAttributesClass": ["driverName", "parameters"],
    },
    "rbac/v1": {"RoleBinding": ["roleRef"], "ClusterRoleBinding": ["roleRef"]},
    "scheduling/v1": {"PriorityClass": ["value", "preemptionPolicy"]},
    "networking/v1": {"IngressClassSpec": ["controller"], "IPAddressSpec": ["parentRef"]},
    "node/v1": {"RuntimeClass": ["handler"]},
    "certificates/v1": {"CertificateSigningRequest": ["spec"]},
    "discovery/v1": {"EndpointSlice": ["addressType"]},
    "resource/v1": {
        "ResourceClaim": ["spec"], "ResourceClaimTemplate": ["spec"], "ResourcePool": ["name"],
        "ResourceSliceSpec": ["driver", "nodeName"],
    },
}

# What the facts leave out: a table's cells are any JSON value.
EXTRA_FIELDS = {
    ("meta/v1", "TableRow"): [{"go": "Cells", "json": "cells", "type": "[]runtime.RawExtension", "listType": "atomic"}],
}
EXTRA_STRUCTS = {
    ("apiextensions/v1", "CustomResourceSubresourceStatus"): [],
}

# Comments for what looks alike everywhere; the side tables win.
COMMON_COMMENTS = {
    "Condition.type": "What is observed.",
    "Condition.status": "Whether it holds: True, False or Unknown.",
    "Condition.lastTransitionTime": "When the status last changed.",
    "Condition.lastUpdateTime": "When the condition was last looked at.",
    "Condition.lastProbeTime": "When the condition was last checked.",
    "Condition.reason": "Why it changed last: one CamelCase word for programs.",
    "Condition.message": "The same for people.",
    "Condition.observedGeneration": "The metadata.generation that this was observed for.",
}


def snake(name):
    parts = re.findall(r"[A-Z]{2,}s(?=[A-Z]|$)|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+", name)
    return "_".join(part.lower() for part in parts)


def derived_json_name(field):
    head, *tail = field.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in tail)


class Draft:
    def __init__(self, facts):
        self.structs = {}
        for line in (facts / "types.jsonl").read_text().splitlines():
            struct = json.loads(line)
            self.structs[struct["package"], struct["struct"]] = struct
        for (package, name), fields in EXTRA_STRUCTS.items():
            self.structs[package, name] = {"package": package, "group": None, "struct": name, "fields": fields}
        self.group_package = {}
        for struct in self.structs.values():
            self.group_package[struct["group"], struct["package"].split("/")[-1]] = struct["package"]
        self.enums = json.loads((facts / "enums.json").read_text())
        self.resources = [json.loads(line) for line in (facts / "resources.jsonl").read_text().splitlines()]
        self.reached = {}
        self.imports = {}

    def roots(self):
        for package, names in EXTRA_ROOTS.items():
            for name in names:
                yield package, name
        for resource in self.resources:
            group, _, version = resource.get("kindGroupVersion", resource["groupVersion"]).rpartition("/")
            if group in SKIPPED_GROUPS:
                continue
            yield self.group_package[group, version], resource["kind"]

    def collect(self):
        for package, name in self.roots():
            self.reach(package, name)
            if (package, name + "List") in self.structs:
                self.reach(package, name + "List")
        self.reached["runtime", "RawExtension"] = True
        self.reached["meta/v1", "Duration"] = True

    def reach(self, package, name):
        if (package, name) in self.reached:
            return
        self.reached[package, name] = True
        if (package, name) in OWN_ENCODING:
            return
        for field in self.fields(package, name):
            for used in self.types_of(package, field["type"]):
                self.reach(*used)

    def fields(self, package, name):
        fields = [f for f in self.structs[package, name]["fields"] if f["type"].split(".")[-1] != "TypeMeta" and f.get("json") != "-"]
        more = EXTRA_FIELDS.get((package, name), [])
        return more + fields if name == "TableRow" else fields + more

    def types_of(self, package, go):
        kind, *types = self.parse(package, go)
        return [t for t in types if isinstance(t, tuple)]

    def parse(self, package, go):
        """The kind of a Go type ("scalar", "message", "list", "map", optional with a leading "*"), and its types."""
        if go in SCALARS:
            return "scalar", SCALARS[go]
        if go.startswith("*"):
            kind, *rest = self.parse(package, go[1:])
            return "*" + kind, *rest
        if go.startswith("[]"):
            return "list", self.parse(package, go[2:])[1]
        if go.startswith("map["):
            return "map", self.parse(package, go[go.index("]") + 1:])[1]
        alias, _, name = go.rpartition(".")
        if name in NAMED:
            return self.parse(package, NAMED[name])
        home = package
        if alias:
            home = GO_ALIAS.get(alias)
            if home is None and alias != "types":
                sys.exit(f"unknown Go package {alias} in {package}")
            if alias == "v1" and package.startswith("meta/"):
                home = "meta/v1"
        if (home, name) in self.structs or (home, name) in OWN_ENCODING:
            return "message", (home, name)
        return "scalar", "string"

    def enum_of(self, package, name, field):
        for key in (f"{package}.{name}.{field['json']}", field["json"]):
            if key in FIELD_ENUMS:
                return FIELD_ENUMS[key]
        alias, _, type_name = field["type"].lstrip("*[]").rpartition(".")
        if type_name in EXTRA_ENUMS:
            return EXTRA_ENUMS[type_name]
        if type_name in OPEN_SETS or type_name.endswith("ConditionType") or type_name in SCALARS:
            return []
        home = GO_ALIAS.get(alias, package) if alias else package
        return self.enums.get(home, {}).get(type_name, [])

    def rules(self, package, name, field, kind):
        rules = []
        is_value = kind == "message" and field["type"].split(".")[-1] not in ("Verbs", "ExtraValue")
        written = not field.get("omitempty") and not field.get("inline")
        if is_value and not field.get("inline"):
            rules.append("value: true")
        elif written:
            rules.append("always: true")
        if (package, name, field.get("json")) == ("meta/v1", "ObjectMeta", "creationTimestamp"):
            rules.append("omit_zero: true")
        if field.get("inline"):
            rules += ["inline: true"]
            return rules
        if field.get("required") or not (field.get("optional") or field.get("omitempty")):
            rules.append("required: true")
        default = DEFAULTS.get(package, {}).get(f"{name}.{field['json']}", field.get("default"))
        if default is not None:
            if isinstance(default, str) and f"{name}.{field['json']}" not in DEFAULTS.get(package, {}):
                literal = default
                json.loads(literal)
            else:
                literal = json.dumps(default)
            rules.append(f"default: '{literal}'")
        for strategy in filter(None, field.get("patchStrategy", "").split(",")):
            rules.append(f'patch_strategy: "{strategy}"')
        if "patchMergeKey" in field:
            rules.append(f'patch_merge_key: "{field["patchMergeKey"]}"')
        if "listType" in field:
            rules.append(f"list_type: {field['listType'].upper()}")
        for key in field.get("listMapKey", []):
            rules.append(f'list_map_key: "{key}"')
        if field.get("mapType") == "atomic":
            rules.append("atomic_map: true")
        for value in self.enum_of(package, name, field):
            rules.append(f'enum: "{value}"')
        if field["json"] in IMMUTABLE.get(package, {}).get(name, []):
            rules.append("immutable: true")
        return rules

    def type_name(self, package, type_):
        if isinstance(type_, str):
            return type_
        home, name = type_
        if home == package:
            return name
        self.imports[package].add(home)
        return proto_package(home) + "." + name

    def field_lines(self, package, name, field, number):
        kind, type_ = self.parse(package, field["type"])
        text = self.type_name(package, type_)
        json_name = field.get("json") or field["type"].split(".")[-1][:1].lower() + field["type"].split(".")[-1][1:]
        label = snake(json_name)
        if kind == "list":
            text = "repeated " + text
        elif kind == "map":
            text = f"map<string, {text}>"
        elif kind == "*scalar":
            text = "optional " + text
        options = []
        if derived_json_name(label) != json_name:
            options.append(f'json_name = "{json_name}"')
        rules = self.rules(package, name, field, kind)
        head = f"  {text} {label} = {number}"
        if rules:
            one_line = "(keelson.field) = {" + ", ".join(rules) + "}"
            options.append(one_line)
        if not options:
            return [head + ";"]
        line = f"{head} [{', '.join(options)}];"
        if len(line) <= 110 or not rules:
            return [line]
        lines = [head + " [" + ("" if len(options) == 1 else options[0] + ", ") + "(keelson.field) = {"]
        row = "   "
        for index, rule in enumerate(rules):
            piece = rule + ("," if index < len(rules) - 1 else "")
            if len(row) + 1 + len(piece) > 108:
                lines.append(row)
                row = "   "
            row += " " + piece
        return lines + [row, "  }];"]


def proto_package(package):
    return PROTO_PACKAGE.get(package) or "io.k8s.api." + package.replace("/", ".")


def wrapped(text, indent):
    return [indent + "// " + line for line in textwrap.wrap(text, 108 - len(indent))] if text else []


def read_comments(directory, package):
    comments = {}
    file = directory and directory / (package.replace("/", ".") + ".txt")
    if file and file.exists():
        for line in file.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                key, _, text = line.partition(":")
                if key.strip() in comments:
                    sys.exit(f"{file}: {key.strip()} twice")
                comments[key.strip()] = text.strip()
    return comments


def common_comment(draft, package, name, field):
    json_name = field.get("json")
    if json_name == "metadata" and field.get("embedded"):
        return "Standard list metadata." if field["go"] == "ListMeta" else "Standard object metadata."
    if json_name == "items" and name.endswith("List"):
        return "The objects."
    if name.endswith("Condition"):
        return COMMON_COMMENTS.get("Condition." + str(json_name))
    return None


def write(draft, output, comments_dir):
    packages = sorted({package for package, _ in draft.reached})
    for package in packages:
        comments = read_comments(comments_dir, package)
        used = set()
        draft.imports[package] = set()
        body = []
        for home, name in sorted(draft.reached):
            if home != package:
                continue
            text = comments.get(name)
            used.add(name)
            if not text and name.endswith("List") and (package, name[:-4]) in draft.reached:
                kind = name[:-4]
                text = f"A list of {kind} objects."
            body += [""] + wrapped(text, "") + [f"message {name} {{"]
            if (package, name) in OWN_ENCODING:
                encoding, lines = OWN_ENCODING[package, name]
                body += [f"  option (keelson.message) = {{encoding: {encoding}}};", ""]
                body += ["  " + line for line in lines] + ["}"]
                continue
            rules = []
            fields = draft.structs[package, name]["fields"]
            if any(f.get("inline") and f["type"].split(".")[-1] == "TypeMeta" for f in fields):
                rules.append("typed: true")
            if name in ATOMIC.get(package, []):
                rules.append("atomic: true")
            if f"{package}.{name}" in TEMPLATES:
                rules.append("template: true")
            if rules:
                body += [f"  option (keelson.message) = {{{', '.join(rules)}}};", ""]
            for index, field in enumerate(draft.fields(package, name)):
                key = f"{name}.{field.get('json') or field['go']}"
                used.add(key)
                text = comments.get(key) or common_comment(draft, package, name, field)
                body += wrapped(text, "  ") + draft.field_lines(package, name, field, field.get("proto") or index + 1)
            if body[-1] == "":
                body.pop()
            body.append("}")
        if package == "runtime":
            body += UNKNOWN
        unknown = set(comments) - used - {"package"}
        if unknown:
            sys.exit(f"comments on nothing in {package}: {sorted(unknown)}")
        head = wrapped(comments.get("package"), "") + ['syntax = "proto3";', "", f"package {proto_package(package)};", ""]
        imports = [p + "/types.proto" for p in draft.imports[package]] + ["keelson/options.proto"]
        head += [f'import "{path}";' for path in sorted(imports)]
        file = output / package / "types.proto"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(head + body) + "\n")


UNKNOWN = """
// The envelope of a protobuf body or stored value, after its four magic bytes.
message Unknown {
  TypeMeta type_meta = 1;
  // The whole object, in the form that content_type names.
  bytes raw = 2;
  // Unset: not compressed.
  string content_encoding = 3;
  // Unset: protobuf.
  string content_type = 4;
}

// What the envelope says of the object's type.
message TypeMeta {
  string api_version = 1;
  string kind = 2;
}""".splitlines()


def main():
    facts, output = map(pathlib.Path, sys.argv[1:3])
    comments_dir = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    draft = Draft(facts)
    draft.collect()
    write(draft, output, comments_dir)


if __name__ == "__main__":
    main()
