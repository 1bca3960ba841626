package dev.keelson.schema.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.conversion.FormerVersions.FormerVersion;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Values of former versions in the version that replaced them, as Kubernetes' conversions give
 * them, whether they were stored in JSON or in protobuf.
 */
class FormerVersionsTest {

  private static final FormerVersions FORMER =
      new FormerVersions(ProtoSchemas.fromClassPath()::struct);

  @Test
  void assuredShares_areNominalShares() {
    for (String version : new String[] {"v1alpha1", "v1beta1", "v1beta2"}) {
      assertConverted(
          "flowcontrol.apiserver.k8s.io/" + version,
          "PriorityLevelConfiguration",
          """
          spec:
            type: Limited
            limited: {assuredConcurrencyShares: 7, limitResponse: {type: Reject}}
          """,
          """
          spec:
            type: Limited
            limited: {nominalConcurrencyShares: 7, limitResponse: {type: Reject}}
          """);
    }
  }

  @Test
  void zeroShares_areTheDefault_unlessAnAnnotationKeepsThem() {
    assertConverted(
        "flowcontrol.apiserver.k8s.io/v1beta2",
        "PriorityLevelConfiguration",
        "spec: {type: Limited, limited: {assuredConcurrencyShares: 0, limitResponse: {type: Reject}}}",
        "spec: {type: Limited, limited: {nominalConcurrencyShares: 30, limitResponse: {type: Reject}}}");
    assertConverted(
        "flowcontrol.apiserver.k8s.io/v1beta3",
        "PriorityLevelConfiguration",
        "spec: {type: Limited, limited: {nominalConcurrencyShares: 0, limitResponse: {type: Reject}}}",
        "spec: {type: Limited, limited: {nominalConcurrencyShares: 30, limitResponse: {type: Reject}}}");
    assertConverted(
        "flowcontrol.apiserver.k8s.io/v1beta3",
        "PriorityLevelConfiguration",
        """
        metadata:
          annotations: {flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares: "", other: x}
        spec: {type: Limited, limited: {nominalConcurrencyShares: 0, limitResponse: {type: Reject}}}
        """,
        """
        metadata: {annotations: {other: x}}
        spec: {type: Limited, limited: {nominalConcurrencyShares: 0, limitResponse: {type: Reject}}}
        """);
  }

  @Test
  void exemptLevel_isKept() {
    assertConverted(
        "flowcontrol.apiserver.k8s.io/v1beta2",
        "PriorityLevelConfiguration",
        "spec: {type: Exempt, exempt: {nominalConcurrencyShares: 0, lendablePercent: 5}}",
        "spec: {type: Exempt, exempt: {nominalConcurrencyShares: 0, lendablePercent: 5}}");
  }

  @Test
  void topology_isZoneAndNode_andTheRestIsKept() {
    assertConverted(
        "discovery.k8s.io/v1beta1",
        "EndpointSlice",
        """
        addressType: IPv4
        endpoints:
        - addresses: [10.0.0.1]
          topology:
            kubernetes.io/hostname: n1
            topology.kubernetes.io/zone: z1
            topology.kubernetes.io/region: r1
          hints: {forZones: [{name: z2}]}
        - addresses: [10.0.0.2]
          nodeName: n2
          topology: {kubernetes.io/hostname: n2}
        - addresses: [10.0.0.3]
          nodeName: n3
          topology: {kubernetes.io/hostname: other}
        - addresses: [10.0.0.4]
        ports: [{name: web, port: 80}]
        """,
        """
        addressType: IPv4
        endpoints:
        - addresses: [10.0.0.1]
          nodeName: n1
          zone: z1
          deprecatedTopology: {topology.kubernetes.io/region: r1}
          hints: {forZones: [{name: z2}]}
        - addresses: [10.0.0.2]
          nodeName: n2
        - addresses: [10.0.0.3]
          nodeName: n3
          deprecatedTopology: {kubernetes.io/hostname: other}
        - addresses: [10.0.0.4]
        ports: [{name: web, port: 80}]
        """);
  }

  @Test
  void definition_hasInEachVersionWhatAllHaveAlike() {
    assertConverted(
        "apiextensions.k8s.io/v1beta1",
        "CustomResourceDefinition",
        """
        spec:
          group: example.com
          version: v1
          names: {plural: widgets, kind: Widget, singular: widget, listKind: WidgetList}
          scope: Cluster
          preserveUnknownFields: false
          validation:
            openAPIV3Schema: {type: object, properties: {spec: {type: object}}}
          subresources: {status: {}}
          additionalPrinterColumns: [{name: Size, type: integer, JSONPath: .spec.size}]
          selectableFields: [{jsonPath: .spec.size}]
          versions:
          - {name: v1, served: true, storage: true}
          - {name: v2, served: true, storage: false, deprecated: true}
          conversion:
            strategy: Webhook
            webhookClientConfig: {service: {namespace: ns, name: s, path: /c}, caBundle: YQ==}
            conversionReviewVersions: [v1, v1beta1]
        status:
          storedVersions: [v1]
        """,
        """
        spec:
          group: example.com
          names: {plural: widgets, kind: Widget, singular: widget, listKind: WidgetList}
          scope: Cluster
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
            subresources: {status: {}}
            additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
            selectableFields: [{jsonPath: .spec.size}]
          - name: v2
            served: true
            storage: false
            deprecated: true
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
            subresources: {status: {}}
            additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
            selectableFields: [{jsonPath: .spec.size}]
          conversion:
            strategy: Webhook
            webhook:
              clientConfig: {service: {namespace: ns, name: s, path: /c, port: 443}, caBundle: YQ==}
              conversionReviewVersions: [v1, v1beta1]
        status:
          storedVersions: [v1]
        """);
  }

  @Test
  void definitionWithVersionsOfTheirOwn_keepsThem() {
    assertConverted(
        "apiextensions.k8s.io/v1beta1",
        "CustomResourceDefinition",
        """
        spec:
          group: example.com
          version: v1
          names: {plural: widgets, kind: Widget, singular: widget, listKind: WidgetList}
          scope: Cluster
          preserveUnknownFields: false
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object}}
            additionalPrinterColumns: [{name: Size, type: integer, JSONPath: .spec.size}]
          - name: v2
            served: true
            storage: false
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
          conversion: {strategy: None}
        status:
          storedVersions: [v1]
        """,
        """
        spec:
          group: example.com
          names: {plural: widgets, kind: Widget, singular: widget, listKind: WidgetList}
          scope: Cluster
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object}}
            additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
          - name: v2
            served: true
            storage: false
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
          conversion: {strategy: None}
        status:
          storedVersions: [v1]
        """);
  }

  @Test
  void definitionFromBeforeTheListOfVersions_getsTheDefaultsOfItsVersion() {
    assertConverted(
        "apiextensions.k8s.io/v1beta1",
        "CustomResourceDefinition",
        """
        spec:
          group: example.com
          version: v1
          names: {plural: widgets, kind: Widget}
          conversion: {strategy: Webhook, webhookClientConfig: {url: "https://c"}}
        """,
        """
        spec:
          group: example.com
          names: {plural: widgets, kind: Widget, singular: widget, listKind: WidgetList}
          scope: Namespaced
          versions: [{name: v1, served: true, storage: true}]
          preserveUnknownFields: true
          conversion:
            strategy: Webhook
            webhook: {clientConfig: {url: "https://c"}, conversionReviewVersions: [v1beta1]}
        status:
          storedVersions: [v1]
        """);
  }

  @Test
  void emptySelector_selectsNoPod() {
    String label = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
    assertConverted(
        "policy/v1beta1",
        "PodDisruptionBudget",
        "spec: {minAvailable: 1, selector: {}}",
        "spec: {minAvailable: 1, selector: {matchExpressions: [{key: %s, operator: Exists}]}}"
            .formatted(label));
    assertConverted(
        "policy/v1beta1",
        "PodDisruptionBudget",
        "spec: {minAvailable: 1, selector: {matchExpressions: [{key: %s, operator: DoesNotExist}]}}"
            .formatted(label),
        "spec: {minAvailable: 1, selector: {}}");
    assertConverted(
        "policy/v1beta1",
        "PodDisruptionBudget",
        "spec: {selector: {matchLabels: {a: b}, matchExpressions: [{key: %s, operator: Exists}]}}"
            .formatted(label),
        "spec: {selector: {matchLabels: {a: b}}}");
    assertConverted(
        "policy/v1beta1",
        "PodDisruptionBudget",
        "spec: {minAvailable: 1}",
        "spec: {minAvailable: 1}");
  }

  @Test
  void request_hasItsDemandsInExactly() {
    String old =
        """
        devices:
          requests:
          - name: one
            deviceClassName: gpu
            allocationMode: ExactCount
            count: 2
            adminAccess: false
            selectors: [{cel: {expression: "true"}}]
            tolerations: [{key: k, operator: Exists}]
            capacity: {requests: {memory: 1Gi}}
          - name: first
            firstAvailable:
            - name: a
              deviceClassName: gpu
              tolerations: [{key: k, operator: Exists}]
              capacity: {requests: {memory: 1Gi}}
          constraints: [{requests: [one], matchAttribute: a/b}]
        """;
    String current =
        """
        devices:
          requests:
          - name: one
            exactly:
              deviceClassName: gpu
              allocationMode: ExactCount
              count: 2
              adminAccess: false
              selectors: [{cel: {expression: "true"}}]
              tolerations: [{key: k, operator: Exists}]
              capacity: {requests: {memory: 1Gi}}
          - name: first
            firstAvailable:
            - name: a
              deviceClassName: gpu
              tolerations: [{key: k, operator: Exists}]
              capacity: {requests: {memory: 1Gi}}
          constraints: [{requests: [one], matchAttribute: a/b}]
        """;
    assertConverted(
        "resource.k8s.io/v1beta1",
        "ResourceClaim",
        "spec:\n" + old.indent(2),
        "spec:\n" + current.indent(2));
    assertConverted(
        "resource.k8s.io/v1beta1",
        "ResourceClaimTemplate",
        "spec:\n  spec:\n" + old.indent(4),
        "spec:\n  spec:\n" + current.indent(4));
  }

  @Test
  void device_hasTheFieldsOfBasic() {
    assertConverted(
        "resource.k8s.io/v1beta1",
        "ResourceSlice",
        """
        spec:
          driver: d
          pool: {name: p, generation: 1, resourceSliceCount: 1}
          nodeName: n1
          allNodes: false
          devices:
          - name: one
            basic:
              attributes: {model: {string: x}}
              capacity: {memory: {value: 1Gi}}
              taints: [{key: k, effect: NoSchedule}]
        """,
        """
        spec:
          driver: d
          pool: {name: p, generation: 1, resourceSliceCount: 1}
          nodeName: n1
          devices:
          - name: one
            attributes: {model: {string: x}}
            capacity: {memory: {value: 1Gi}}
            taints: [{key: k, effect: NoSchedule}]
        """);
    assertConverted(
        "resource.k8s.io/v1beta1",
        "ResourceSlice",
        "spec: {driver: d, pool: {name: p, generation: 1, resourceSliceCount: 1}, nodeName: '', allNodes: true}",
        "spec: {driver: d, pool: {name: p, generation: 1, resourceSliceCount: 1}, allNodes: true}");
  }

  @Test
  void runtimeClass_hasNoSpec() {
    assertConverted(
        "node.k8s.io/v1alpha1",
        "RuntimeClass",
        "spec: {runtimeHandler: h, overhead: {podFixed: {cpu: 1}}, scheduling: {nodeSelector: {a: b}}}",
        """
        handler: h
        overhead: {podFixed: {cpu: 1}}
        scheduling: {nodeSelector: {a: b}}
        """);
  }

  @Test
  void deploymentOfAppsV1beta1_keepsTheRevisionToRollBackTo() {
    assertConverted(
        "apps/v1beta1",
        "Deployment",
        """
        spec:
          rollbackTo: {revision: 3}
          template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}
        """,
        """
        metadata: {annotations: {deprecated.deployment.rollback.to: "3"}}
        spec:
          selector: {matchLabels: {a: b}}
          template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}
        """);
  }

  @Test
  void ingressOfNetworkingV1beta1_hasItsBackendInAService() {
    assertConverted(
        "networking.k8s.io/v1beta1",
        "Ingress",
        "spec: {backend: {serviceName: web, servicePort: 80}}",
        "spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}");
  }

  @Test
  void servedVersion_isNoFormerOne() {
    assertThat(FORMER.find(Versions.kind("networking.k8s.io/v1", "Ingress"))).isNull();
    assertThat(FORMER.find(Versions.kind("batch/v1beta1", "CronJob"))).isNull();
  }

  private static void assertConverted(String version, String kind, String old, String current) {
    GroupVersionKind stored = Versions.kind(version, kind);
    FormerVersion former = Objects.requireNonNull(FORMER.find(stored), version);
    byte[] yaml =
        ("apiVersion: " + version + "\nkind: " + kind + "\n" + old)
            .getBytes(StandardCharsets.UTF_8);
    MapNode body = ObjectReader.yaml(yaml, former.schema(), FieldValidation.STRICT).root();
    MapNode expected = Versions.read(current, former.current());

    byte[] json = StoredForm.encode(body, former.schema());
    byte[] protobuf = ObjectWriter.protobuf(Canonical.form(body, former.schema()), former.schema());

    for (byte[] value : new byte[][] {json, protobuf}) {
      assertThat(StoredForm.kindOf(value)).isEqualTo(stored);
      MapNode converted =
          Canonical.form(
              former.converted(StoredForm.decode(value, former.schema())),
              Versions.schema(former.current()));
      assertThat(Versions.yaml(converted)).isEqualTo(Versions.yaml(expected));
    }
  }
}
