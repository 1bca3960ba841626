package dev.keelson.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.authz.Selection;
import dev.keelson.authz.Selection.Requirement;
import dev.keelson.http.Query;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.ManualClock;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReviewsTest {

  private static final ResourceCatalog CATALOG =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));
  private static final GroupVersion GROUP = new GroupVersion("authorization.k8s.io", "v1");

  private final List<Attributes> asked = new ArrayList<>();
  private Decision decision = Decision.NoOpinion.PLAIN;
  private final Authorizer authorizer =
      new Authorizer() {
        @Override
        public Decision authorize(Attributes attributes) {
          asked.add(attributes);
          return decision;
        }

        @Override
        public ResolvedRules rules(UserInfo user, String namespace) {
          return new ResolvedRules(
              List.of(
                  new PolicyRule(
                      List.of("get"), List.of(""), List.of("pods"), List.of("p"), List.of()),
                  new PolicyRule(
                      List.of("get"), List.of(), List.of(), List.of(), List.of("/metrics"))),
              true,
              List.of("somebody did not tell"));
        }
      };
  private final ManualClock clock = new ManualClock();
  private final Map<GroupResource, VirtualResource> reviews = Reviews.of(authorizer, clock);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "subjectaccessreviews||{'spec':{'user':'a','resourceAttributes':{'verb':'get'},"
            + "'nonResourceAttributes':{'path':'/','verb':'get'}}}|spec.nonResourceAttributes:"
            + " Invalid value: {'path':'/','verb':'get'}: cannot be specified in combination with"
            + " resourceAttributes",
        "subjectaccessreviews||{'spec':{'user':'a'}}|spec.resourceAttributes: Invalid value: null:"
            + " exactly one of nonResourceAttributes or resourceAttributes must be specified",
        "subjectaccessreviews||{'spec':{'resourceAttributes':{'verb':'get'}}}|spec.user: Invalid"
            + " value: '': at least one of user or group must be specified",
        "subjectaccessreviews||{'metadata':{'name':'x'},'spec':{'user':'a','resourceAttributes':"
            + "{'verb':'get'}}}|metadata: Invalid value: {'name':'x'}: must be empty",
        "selfsubjectaccessreviews||{'spec':{'resourceAttributes':{'verb':'list','fieldSelector':"
            + "{'requirements':[{'key':'a','operator':'In'}]}}}}|spec.resourceAttributes.fieldSelector.requirements[0].values:"
            + " Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "selfsubjectaccessreviews||{'spec':{'resourceAttributes':{'fieldSelector':{}}}}|"
            + "spec.resourceAttributes.fieldSelector.requirements: Required value: when"
            + " spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is"
            + " required",
        "selfsubjectaccessreviews||{'spec':{'resourceAttributes':{'labelSelector':{'rawSelector':"
            + "'foo','requirements':[{}]}}}}|spec.resourceAttributes.labelSelector.rawSelector:"
            + " Invalid value: 'foo': may not specified at the same time as requirements",
        "selfsubjectaccessreviews||{'spec':{'resourceAttributes':{'fieldSelector':{'requirements':"
            + "[{}]}}}}|spec.resourceAttributes.fieldSelector.requirements[0].key: Required value:"
            + " must be specified",
        "selfsubjectaccessreviews||{'spec':{'resourceAttributes':{'labelSelector':{'requirements':"
            + "[{}]}}}}|spec.resourceAttributes.labelSelector.requirements[0].key: Invalid value:"
            + " '': name part must be non-empty",
        "selfsubjectaccessreviews||{'spec':{'resourceAttributes':{'labelSelector':{'requirements':"
            + "[{'key':'a','operator':'In','values':['x','-']}]}}}}|"
            + "spec.resourceAttributes.labelSelector.requirements[0].values[1]: Invalid value:"
            + " '-': a valid label must be",
        "localsubjectaccessreviews|a|{'spec':{'user':'a','resourceAttributes':{'namespace':'b'}}}|spec.resourceAttributes.namespace:"
            + " Invalid value: 'b': must match metadata.namespace",
        "localsubjectaccessreviews|a|{'spec':{'user':'a','nonResourceAttributes':{'path':'/'}}}|"
            + "spec.nonResourceAttributes: Invalid value: {'path':'/'}: disallowed on this kind of"
            + " request",
      })
  void wrongReview_isInvalid_withTheFieldAndTheValue(
      String resource, String namespace, String review, String complaint) {
    assertThatThrownBy(() -> answer(resource, namespace == null ? "" : namespace, review))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID))
        .hasMessageContaining(
            complaint.replace("'", "\"").replace("\"In\" or \"NotIn\"", "'In' or 'NotIn'"));
    assertThat(asked).isEmpty();
  }

  @Test
  void identity_isTold_withTheTime_whateverWasSent() {
    MapNode review =
        answer(
                new GroupVersion("authentication.k8s.io", "v1"),
                "selfsubjectreviews",
                "",
                "{'metadata':{'name':'x'},'status':{'userInfo':{'username':'root'}}}")
            .root();

    assertThat(review.map("metadata"))
        .isEqualTo(
            MapNode.of(
                "creationTimestamp",
                Node.text(clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())));
    assertThat(review.map("status").map("userInfo").text("username")).isEqualTo("caller");
    assertThat(asked).isEmpty();
  }

  @Test
  void review_asksForTheNamedUser_andTellsTheDecision() {
    decision = new Decision.Deny("not you", "half broken");

    MapNode status =
        answer(
                "subjectaccessreviews",
                "",
                "{'spec':{'user':'eve','groups':['g'],'uid':'7','extra':{'k':['v']},"
                    + "'resourceAttributes':{'verb':'list','group':'apps','resource':'deployments',"
                    + "'subresource':'scale','namespace':'n','name':'x','labelSelector':"
                    + "{'requirements':[{'key':'a','operator':'In','values':['b']}]}}}}")
            .root()
            .map("status");

    assertThat(status)
        .isEqualTo(
            MapNode.builder(4)
                .put("allowed", Node.Bool.FALSE)
                .put("denied", Node.Bool.TRUE)
                .put("reason", Node.text("not you"))
                .put("evaluationError", Node.text("half broken"))
                .build());
    assertThat(asked)
        .containsExactly(
            new Attributes(
                new UserInfo("eve", "7", List.of("g"), Map.of("k", List.of("v"))),
                "list",
                new Attributes.Resource(
                    "apps",
                    "*",
                    "deployments",
                    "scale",
                    "n",
                    "x",
                    Selection.NONE,
                    new Selection.Requirements(
                        List.of(new Requirement("a", "In", List.of("b")))))));
  }

  /** What is understood of the selectors of a review, and what is told about the rest. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "'fieldSelector':{'requirements':[{'key':'b','operator':'In','values':['2']},"
            + "{'key':'a','operator':'NotIn','values':['1']}]}|b In [2], a NotIn [1]||-",
        "'fieldSelector':{'rawSelector':'b=2,a!=1'}|a NotIn [1], b In [2]||-",
        "'fieldSelector':{'rawSelector':'b'}|||spec.resourceAttributes.fieldSelector ignored due to"
            + " parse error",
        "'fieldSelector':{'requirements':[{'key':'a','operator':'Exists'},"
            + "{'key':'b','operator':'In','values':['1','2']},{'key':'c','operator':'Later'}]}|||"
            + "spec.resourceAttributes.fieldSelector ignored due to parse error",
        "'fieldSelector':{'requirements':[{'key':'a,b=c','operator':'In','values':['x=y,z']},"
            + "{'key':'c','operator':'Later'}]}|a,b=c In [x=y,z]||"
            + "spec.resourceAttributes.fieldSelector partially ignored due to parse error",
        "'labelSelector':{'requirements':[{'key':'b','operator':'In','values':['z','y']},"
            + "{'key':'a','operator':'Exists'}]}||b In [z, y], a Exists []|-",
        "'labelSelector':{'rawSelector':'b in (z,y),a,!c,d>1'}||a Exists [], b In [y, z], c"
            + " DoesNotExist []|-",
        "'labelSelector':{'requirements':[{'key':'a','operator':'Later','values':['x']}]},"
            + "'fieldSelector':{'rawSelector':'b'}|||spec.resourceAttributes.fieldSelector ignored"
            + " due to parse error; spec.resourceAttributes.labelSelector ignored due to parse"
            + " error",
      })
  void selectors_areAskedAsFarAsTheyAreUnderstood(
      String selectors, String fields, String labels, String error) {
    decision = new Decision.Allow("");

    MapNode status =
        answer(
                "selfsubjectaccessreviews",
                "",
                "{'spec':{'resourceAttributes':{'verb':'list'," + selectors + "}}}")
            .root()
            .map("status");

    Attributes.Resource target = (Attributes.Resource) asked.getFirst().target();
    assertThat(shown(target.fieldSelector().ofFields())).isEqualTo(fields == null ? "" : fields);
    assertThat(shown(target.labelSelector().ofLabels())).isEqualTo(labels == null ? "" : labels);
    assertThat(status.get("allowed")).isEqualTo(Node.Bool.TRUE);
    assertThat(status.text("evaluationError")).isEqualTo(error == null ? "" : error);
  }

  private static String shown(List<Requirement> requirements) {
    return requirements.stream()
        .map(one -> one.key() + " " + one.operator() + " " + one.values())
        .collect(Collectors.joining(", "));
  }

  @Test
  void ownReview_asksForTheCaller_whateverTheBodySays() {
    ApiObject unused =
        answer(
            "selfsubjectaccessreviews",
            "",
            "{'spec':{'nonResourceAttributes':{'path':'/x','verb':'get'}}}");

    assertThat(asked).containsExactly(new Attributes(caller(), "get", new Attributes.Path("/x")));
  }

  @Test
  void rules_areListed_withWhatIsNotKnown() {
    ApiObject review = answer("selfsubjectrulesreviews", "", "{'spec':{'namespace':'n'}}");

    assertThat(review.root().map("spec").isEmpty()).isTrue();
    assertThat(review.root().map("status"))
        .isEqualTo(
            TreeJson.read(
                """
                {"resourceRules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"],
                  "resourceNames":["p"]}],
                 "nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/metrics"]}],
                 "incomplete":true,
                 "evaluationError":"somebody did not tell"}
                """
                    .getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> answer("selfsubjectrulesreviews", "", "{'spec':{}}"))
        .hasMessage("no namespace on request");
  }

  private ApiObject answer(String resource, String namespace, String review) {
    return answer(GROUP, resource, namespace, review);
  }

  private ApiObject answer(GroupVersion group, String resource, String namespace, String review) {
    byte[] json = review.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    ApiObject sent = new ApiObject((MapNode) ObjectReader.untypedJson(json));
    return Objects.requireNonNull(reviews.get(new GroupResource(group.group(), resource)))
        .answer(
            new VirtualResource.Request(
                Verb.CREATE,
                CATALOG.snapshot().find(group.resource(resource)).orElseThrow(),
                new RequestInfo.Resource(
                    "/", Verb.CREATE, group, namespace, resource, "", "", "", false),
                new RequestContext(caller(), "audit"),
                Query.NONE,
                sent));
  }

  private static UserInfo caller() {
    return new UserInfo("caller", "", List.of("system:authenticated"), Map.of());
  }
}
