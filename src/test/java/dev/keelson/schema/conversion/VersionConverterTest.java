package dev.keelson.schema.conversion;

import static dev.keelson.schema.conversion.Versions.CATALOG;
import static dev.keelson.schema.conversion.Versions.CONVERTER;
import static dev.keelson.schema.conversion.Versions.convert;
import static dev.keelson.schema.conversion.Versions.kind;
import static dev.keelson.schema.conversion.Versions.read;
import static dev.keelson.schema.conversion.Versions.schema;
import static dev.keelson.schema.conversion.Versions.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.SampleObjects;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class VersionConverterTest {

  private static final GroupVersionKind OLD_DEPLOYMENT = kind("extensions/v1beta1", "Deployment");
  private static final GroupVersionKind DEPLOYMENT = kind("apps/v1", "Deployment");
  private static final GroupVersionKind OLD_DAEMON_SET = kind("extensions/v1beta1", "DaemonSet");
  private static final GroupVersionKind DAEMON_SET = kind("apps/v1", "DaemonSet");
  private static final GroupVersionKind OLD_REPLICA_SET = kind("extensions/v1beta1", "ReplicaSet");
  private static final GroupVersionKind REPLICA_SET = kind("apps/v1", "ReplicaSet");
  private static final GroupVersionKind OLD_INGRESS = kind("extensions/v1beta1", "Ingress");
  private static final GroupVersionKind INGRESS = kind("networking.k8s.io/v1", "Ingress");
  private static final GroupVersionKind CORE_EVENT = kind("v1", "Event");
  private static final GroupVersionKind EVENT = kind("events.k8s.io/v1", "Event");
  private static final GroupVersionKind OLD_HPA = kind("autoscaling/v1", "HorizontalPodAutoscaler");
  private static final GroupVersionKind HPA = kind("autoscaling/v2", "HorizontalPodAutoscaler");

  private static void same(
      GroupVersionKind oldKind, String old, GroupVersionKind newKind, String current) {
    becomes(oldKind, old, newKind, current);
    becomes(newKind, current, oldKind, old);
  }

  private static void becomes(
      GroupVersionKind from, String before, GroupVersionKind to, String after) {
    assertThat(yaml(convert(read(before, from), from, to))).isEqualTo(yaml(read(after, to)));
  }

  @Test
  void deployment_keepsItsRollbackInAnAnnotation() {
    same(
        OLD_DEPLOYMENT,
        """
        metadata: {name: a, annotations: {b: c}}
        spec: {selector: {matchLabels: {x: z}}, rollbackTo: {revision: 3}}
        """,
        DEPLOYMENT,
        """
        metadata: {name: a, annotations: {b: c, deprecated.deployment.rollback.to: "3"}}
        spec: {selector: {matchLabels: {x: z}}}
        """);
    same(
        OLD_DEPLOYMENT,
        "spec: {selector: {}, rollbackTo: {}}",
        DEPLOYMENT,
        "metadata: {annotations: {deprecated.deployment.rollback.to: '0'}}\nspec: {selector: {}}");
  }

  @Test
  void deployment_withAnAnnotationThatIsNoRevision_keepsIt() {
    for (String text : List.of("", "x", "03", "+3", "3.0", "9223372036854775808")) {
      String object =
          "metadata: {annotations: {deprecated.deployment.rollback.to: '"
              + text
              + "'}}\n"
              + "spec: {selector: {}}";
      same(OLD_DEPLOYMENT, object, DEPLOYMENT, object);
    }
  }

  @Test
  void workloads_withoutSelector_selectTheLabelsOfTheirPods() {
    String without = "spec: {template: {metadata: {labels: {a: b, c: d}}}}";
    String with =
        "spec: {selector: {matchLabels: {a: b, c: d}}, template: {metadata: {labels: {a: b, c:"
            + " d}}}}";

    becomes(OLD_DEPLOYMENT, without, DEPLOYMENT, with);
    becomes(OLD_DAEMON_SET, without, DAEMON_SET, with);
    becomes(OLD_REPLICA_SET, without, REPLICA_SET, with);
    same(OLD_REPLICA_SET, with, REPLICA_SET, with);
    same(OLD_REPLICA_SET, "spec: {}", REPLICA_SET, "spec: {}");
    String empty = "spec: {selector: {}, template: {metadata: {labels: {a: b}}}}";
    same(OLD_REPLICA_SET, empty, REPLICA_SET, empty);
  }

  @Test
  void daemonSet_keepsItsGenerationInAnAnnotation() {
    same(
        OLD_DAEMON_SET,
        "spec: {selector: {}, templateGeneration: 7}",
        DAEMON_SET,
        """
        metadata: {annotations: {deprecated.daemonset.template.generation: "7"}}
        spec: {selector: {}}
        """);
    same(OLD_DAEMON_SET, "spec: {selector: {}}", DAEMON_SET, "spec: {selector: {}}");
    String zero =
        "metadata: {annotations: {deprecated.daemonset.template.generation: '0'}}\n"
            + "spec: {selector: {}}";
    same(OLD_DAEMON_SET, zero, DAEMON_SET, zero);
  }

  @Test
  void ingress_changesItsBackends() {
    same(
        OLD_INGRESS,
        """
        spec:
          ingressClassName: c
          backend: {serviceName: a, servicePort: 80}
          tls: [{hosts: [h], secretName: s}]
          rules:
          - host: h
            http:
              paths:
              - {path: /a, pathType: Exact, backend: {serviceName: b, servicePort: web}}
              - {path: /b, pathType: Prefix, backend: {resource: {apiGroup: g, kind: k, name: nn}}}
          - host: i
        status: {loadBalancer: {ingress: [{ip: 1.2.3.4}]}}
        """,
        INGRESS,
        """
        spec:
          ingressClassName: c
          defaultBackend: {service: {name: a, port: {number: 80}}}
          tls: [{hosts: [h], secretName: s}]
          rules:
          - host: h
            http:
              paths:
              - {path: /a, pathType: Exact, backend: {service: {name: b, port: {name: web}}}}
              - {path: /b, pathType: Prefix, backend: {resource: {apiGroup: g, kind: k, name: nn}}}
          - host: i
        status: {loadBalancer: {ingress: [{ip: 1.2.3.4}]}}
        """);
    same(OLD_INGRESS, "spec: {backend: {}}", INGRESS, "spec: {defaultBackend: {}}");
    same(
        OLD_INGRESS,
        "spec: {backend: {serviceName: a}}",
        INGRESS,
        "spec: {defaultBackend: {service: {name: a, port: {}}}}");
  }

  @Test
  void ingress_withoutPathType_leavesItToTheImplementation() {
    becomes(
        OLD_INGRESS,
        "spec: {rules: [{http: {paths: [{path: /a, backend: {serviceName: b, servicePort: 1}}]}}]}",
        INGRESS,
        """
        spec:
          rules:
          - http:
              paths:
              - path: /a
                pathType: ImplementationSpecific
                backend: {service: {name: b, port: {number: 1}}}
        """);
  }

  @Test
  void event_changesItsNames() {
    same(
        CORE_EVENT,
        """
        metadata: {name: e, namespace: nn}
        involvedObject: {kind: Pod, name: p}
        reason: r
        message: m
        source: {component: c, host: h}
        firstTimestamp: "2020-01-02T03:04:05Z"
        lastTimestamp: "2020-01-02T03:04:06Z"
        count: 4
        type: Normal
        eventTime: "2020-01-02T03:04:05.000006Z"
        series: {count: 2, lastObservedTime: "2020-01-02T03:04:05.000007Z"}
        action: a
        related: {kind: Node, name: o}
        reportingComponent: rc
        reportingInstance: ri
        """,
        EVENT,
        """
        metadata: {name: e, namespace: nn}
        regarding: {kind: Pod, name: p}
        reason: r
        note: m
        deprecatedSource: {component: c, host: h}
        deprecatedFirstTimestamp: "2020-01-02T03:04:05Z"
        deprecatedLastTimestamp: "2020-01-02T03:04:06Z"
        deprecatedCount: 4
        type: Normal
        eventTime: "2020-01-02T03:04:05.000006Z"
        series: {count: 2, lastObservedTime: "2020-01-02T03:04:05.000007Z"}
        action: a
        related: {kind: Node, name: o}
        reportingController: rc
        reportingInstance: ri
        """);
    same(CORE_EVENT, "metadata: {}", EVENT, "metadata: {}");
  }

  @Test
  void autoscaler_withCpuAlone_needsNoAnnotation() {
    same(
        OLD_HPA,
        """
        metadata: {annotations: {a: b}}
        spec: {scaleTargetRef: {kind: k, name: nn}, minReplicas: 1, maxReplicas: 9,
          targetCPUUtilizationPercentage: 70}
        status: {currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 60}
        """,
        HPA,
        """
        metadata: {annotations: {a: b}}
        spec:
          scaleTargetRef: {kind: k, name: nn}
          minReplicas: 1
          maxReplicas: 9
          metrics:
          - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}
        status:
          currentReplicas: 1
          desiredReplicas: 2
          currentMetrics:
          - {type: Resource, resource: {name: cpu, current: {averageUtilization: 60}}}
        """);
    same(OLD_HPA, "spec: {maxReplicas: 1}", HPA, "spec: {maxReplicas: 1}");
  }

  @Test
  void autoscaler_keepsOtherMetricsInTheFlatFormOfVersion1() {
    same(
        OLD_HPA,
        """
        metadata:
          annotations:
            autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}},{"type":"Pods","pods":{"metricName":"p","selector":{"matchLabels":{"a":"b"}},"targetAverageValue":"5"}},{"type":"Object","object":{"target":{"kind":"Service","name":"s"},"metricName":"o","targetValue":"3"}},{"type":"External","external":{"metricName":"e","metricSelector":{},"targetAverageValue":"4"}},{"type":"ContainerResource","containerResource":{"name":"cpu","container":"c","targetAverageUtilization":30}}]'
        spec: {maxReplicas: 2, targetCPUUtilizationPercentage: 70}
        """,
        HPA,
        """
        spec:
          maxReplicas: 2
          metrics:
          - {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 1Gi}}}
          - type: Pods
            pods:
              metric: {name: p, selector: {matchLabels: {a: b}}}
              target: {type: AverageValue, averageValue: "5"}
          - type: Object
            object:
              describedObject: {kind: Service, name: s}
              metric: {name: o}
              target: {type: Value, value: "3"}
          - type: External
            external:
              metric: {name: e, selector: {}}
              target: {type: AverageValue, averageValue: "4"}
          - type: ContainerResource
            containerResource: {name: cpu, container: c, target: {type: Utilization, averageUtilization: 30}}
          - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}
        """);
  }

  @Test
  void autoscaler_keepsStatusAndBehaviorInAnnotations() {
    same(
        OLD_HPA,
        """
        metadata:
          annotations:
            autoscaling.alpha.kubernetes.io/behavior: '{"scaleUp":{"stabilizationWindowSeconds":0}}'
            autoscaling.alpha.kubernetes.io/conditions: '[{"type":"AbleToScale","status":"True","lastTransitionTime":"2020-01-02T03:04:05Z"}]'
            autoscaling.alpha.kubernetes.io/current-metrics: '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":60,"currentAverageValue":"6m"}}]'
        spec: {maxReplicas: 2}
        status: {currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 60}
        """,
        HPA,
        """
        spec: {maxReplicas: 2, behavior: {scaleUp: {stabilizationWindowSeconds: 0}}}
        status:
          currentReplicas: 1
          desiredReplicas: 1
          conditions: [{type: AbleToScale, status: "True", lastTransitionTime: "2020-01-02T03:04:05Z"}]
          currentMetrics:
          - {type: Resource, resource: {name: cpu, current: {averageUtilization: 60, averageValue: 6m}}}
        """);
  }

  @Test
  void autoscaler_keepsTheOrderOfItsMetrics() {
    MapNode current =
        read(
            """
            spec:
              maxReplicas: 2
              metrics:
              - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}
              - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 9}}}
            """,
            HPA);

    MapNode old = convert(current, HPA, OLD_HPA);
    MapNode edited =
        old.withAt(List.of("spec", "targetCPUUtilizationPercentage"), new Node.Int(50));

    assertThat(yaml(convert(old, OLD_HPA, HPA))).isEqualTo(yaml(current));
    assertThat(yaml(convert(edited, OLD_HPA, HPA)))
        .isEqualTo(yaml(current).replace("averageUtilization: 70", "averageUtilization: 50"));
  }

  /** What stands in an annotation must not make an object that cannot be read again. */
  @Test
  void autoscaler_ignoresAnnotationsThatAreNoMetrics() {
    for (String text :
        List.of(
            "",
            "x",
            "{}",
            "[1]",
            "[{\"type\":1}]",
            "[{\"type\":\"Resource\",\"resource\":{\"name\":\"a\",\"targetAverageUtilization\":\"b\"}}]",
            "[{\"type\":\"Resource\",\"resource\":{\"name\":\"a\",\"targetAverageValue\":\"b\"}}]")) {
      becomes(
          OLD_HPA,
          "metadata: {annotations: {autoscaling.alpha.kubernetes.io/metrics: '"
              + text
              + "', autoscaling.alpha.kubernetes.io/behavior: '[]', "
              + "autoscaling.alpha.kubernetes.io/conditions: '[{\"status\":[]}]', "
              + "autoscaling.alpha.kubernetes.io/current-metrics: '[[]]'}}\n"
              + "spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 5}",
          HPA,
          """
          spec:
            maxReplicas: 3
            metrics:
            - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 5}}}
          """);
    }
  }

  @Test
  void autoscaler_doesNotShowForeignAnnotationsAsMetrics() {
    becomes(
        HPA,
        "metadata: {annotations: {autoscaling.alpha.kubernetes.io/metrics: '[]', a: b}}\n"
            + "spec: {maxReplicas: 3}",
        OLD_HPA,
        "metadata: {annotations: {a: b}}\nspec: {maxReplicas: 3}");
  }

  @Test
  void kindsWithoutRules_areRenamed() {
    MapNode object = read("spec: {schedule: s}", kind("batch/v1beta1", "CronJob"));

    MapNode converted =
        convert(object, kind("batch/v1beta1", "CronJob"), kind("batch/v1", "CronJob"));

    assertThat(converted.text("apiVersion")).isEqualTo("batch/v1");
    assertThat(converted.at("spec", "schedule")).isEqualTo(Node.text("s"));
  }

  record Pair(GroupVersionKind from, GroupVersionKind to) {}

  /** Every kind with every other served version of it that is stored together with it. */
  static Stream<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (ResourceDefinition from : CATALOG.snapshot().all()) {
      for (ResourceDefinition to : CATALOG.snapshot().all()) {
        if (from.storage() != null && from.storage().equals(to.storage())) {
          pairs.add(new Pair(from.gvk(), to.gvk()));
        }
      }
    }
    assertThat(pairs.stream().filter(pair -> !pair.from.equals(pair.to)).count()).isEqualTo(14);
    return pairs.stream();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void sameShape_isTrueExactlyWhereConversionChangesNothingButTheName(Pair pair) {
    MapNode sample =
        SampleObjects.fill(schema(pair.from), pair.from.apiVersion(), pair.from.kind());
    byte[] renamed =
        StoredForm.encode(
            sample.with("apiVersion", Node.text(pair.to.apiVersion())), schema(pair.from));
    byte[] converted = StoredForm.encode(convert(sample, pair.from, pair.to), schema(pair.to));

    boolean alike =
        Arrays.equals(renamed, converted)
            && alike(schema(pair.from), schema(pair.to), new HashSet<>());

    assertThat(CONVERTER.sameShape(pair.from, pair.to)).isEqualTo(alike);
  }

  private static boolean alike(SchemaNode one, SchemaNode other, Set<SchemaNode> seen) {
    return switch (one) {
      case StructSchema struct ->
          !seen.add(struct)
              || (other instanceof StructSchema same
                  && alike(struct.fields(), same.fields(), seen));
      case ListOf list ->
          other instanceof ListOf same && alike(list.element(), same.element(), seen);
      case MapOf map -> other instanceof MapOf same && alike(map.value(), same.value(), seen);
      case SchemaNode.Union union ->
          other instanceof SchemaNode.Union same && alike(union.message(), same.message(), seen);
      case Scalar _, Free _, SchemaNode.Structural _ -> one == other;
    };
  }

  private static boolean alike(List<Field> one, List<Field> other, Set<SchemaNode> seen) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      Field a = one.get(i);
      Field b = other.get(i);
      if (!Objects.equals(a.name(), b.name())
          || a.presence() != b.presence()
          || !alike(a.type(), b.type(), seen)) {
        return false;
      }
    }
    return true;
  }

  @Test
  void scale_hasItsSelectorAsAMapIfThatSaysAll() {
    GroupVersionKind old = kind("extensions/v1beta1", "Scale");
    GroupVersionKind current = kind("autoscaling/v1", "Scale");
    status(old, "{'selector':{'c':'d','a':'b'}}", current, "{'selector':'a=b,c=d'}");
    status(
        old,
        "{'selector':{'a':'b'},'targetSelector':'a in (b,c)'}",
        current,
        "{'selector':'a in (b,c)'}");
    status(
        current,
        "{'selector':'a=b,c=d'}",
        old,
        "{'selector':{'a':'b','c':'d'},'targetSelector':'a=b,c=d'}");
    status(current, "{'selector':'a in (b,c)'}", old, "{'targetSelector':'a in (b,c)'}");
    status(current, "{'selector':'!!'}", old, "{'targetSelector':'!!'}");
    status(current, "{'replicas':1}", old, "{'replicas':1}");
  }

  private static void status(
      GroupVersionKind from, String before, GroupVersionKind to, String after) {
    MapNode scale = MapNode.of("status", CustomTypes.tree(before));

    assertThat(CONVERTER.convert(new ApiObject(scale), from, to).root().map("status"))
        .isEqualTo(CustomTypes.tree(after));
  }
}
