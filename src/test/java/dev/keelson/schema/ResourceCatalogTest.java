package dev.keelson.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiEnablement;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ResourceCatalogTest {

  private static final List<ResourceDefinition> BUILT_IN =
      BuiltInResources.all(ProtoSchemas.fromClassPath()::struct);

  private static List<ResourceDefinition> rows(
      String group, String plural, String kind, String... versions) {
    StringBuilder declared = new StringBuilder();
    for (String version : versions) {
      declared.append(
          "%s{'name':'%s','served':true,'storage':%b}"
              .formatted(declared.isEmpty() ? "" : ",", version, declared.isEmpty()));
    }
    MapNode definition =
        CustomTypes.tree(
            """
            {'metadata':{'name':'%s.%s','uid':'u'},'spec':{'group':'%s','scope':'Namespaced',\
            'names':{'plural':'%s','singular':'%s','kind':'%s','listKind':'%sList'},\
            'versions':[%s]}}\
            """
                .formatted(plural, group, group, plural, plural, kind, kind, declared));
    return CustomTypes.rows(definition);
  }

  /** Every answer of a snapshot about some groups. */
  private static Map<String, Object> answers(Snapshot snapshot) {
    Map<String, Object> answers = new HashMap<>();
    answers.put("all", List.copyOf(snapshot.all()));
    answers.put("versions", List.copyOf(snapshot.groupVersions()));
    answers.put("built-in", snapshot.builtIn());
    List<ResourceDefinition> asked = new ArrayList<>(snapshot.all());
    for (int group = 0; group < 6; group++) {
      answers.put("group " + group, snapshot.versions("g" + group + ".example.com"));
    }
    for (ResourceDefinition row : asked) {
      answers.put("resource " + row.gvr(), snapshot.find(row.gvr()).orElseThrow());
      answers.put("kind " + row.gvk(), snapshot.find(row.gvk()).orElseThrow());
      answers.put("name " + row.groupResource(), snapshot.find(row.groupResource()));
      answers.put("version " + row.gvr(), snapshot.resources(GroupVersion.of(row.gvr())));
      answers.put("group " + row.gvr().group(), snapshot.versions(row.gvr().group()));
      if (row.storage() != null) {
        String prefix = row.storage().keyPrefix();
        answers.put("prefix " + prefix, snapshot.storedUnder(prefix));
      }
    }
    return answers;
  }

  @Test
  void resourceThatIsNotServed_isInNoList() {
    GroupVersion apps = new GroupVersion("apps", "v1");
    GroupVersion autoscaling = new GroupVersion("autoscaling", "v2");
    ApiEnablement served =
        new ApiEnablement(
            Map.of(), Map.of(autoscaling, false), Map.of(apps.resource("daemonsets"), false));
    ResourceCatalog catalog = new ResourceCatalog(BUILT_IN, row -> served.serves(row.gvr()));
    Snapshot snapshot = catalog.snapshot();

    ResourceDefinition daemonSets = snapshot.find(apps.resource("daemonsets")).orElseThrow();
    ResourceDefinition deployments = snapshot.find(apps.resource("deployments")).orElseThrow();
    assertThat(snapshot.serves(daemonSets)).isFalse();
    assertThat(snapshot.serves(deployments)).isTrue();
    assertThat(snapshot.find(daemonSets.gvk())).contains(daemonSets);
    assertThat(snapshot.resources(apps)).contains(deployments).doesNotContain(daemonSets);
    assertThat(snapshot.all()).doesNotContain(daemonSets);
    assertThat(snapshot.builtIn()).doesNotContain(daemonSets);
    assertThat(snapshot.groupVersions()).contains(apps).doesNotContain(autoscaling);
    assertThat(snapshot.versions("autoscaling"))
        .containsExactly(new GroupVersion("autoscaling", "v1"));
    catalog.replaceAll(BUILT_IN);
    assertThat(catalog.snapshot().serves(daemonSets)).isFalse();
  }

  @Test
  void updates_giveWhatACatalogFromScratchHas() {
    Random random = new Random(11);
    ResourceCatalog catalog = new ResourceCatalog(BUILT_IN);
    Map<String, List<ResourceDefinition>> served = new HashMap<>();
    List<ResourceCatalog.Change> told = new ArrayList<>();
    catalog.onChange((before, after, change) -> told.add(change));
    String[][] versions = {{"v1"}, {"v1", "v2"}, {"v1beta1", "v1"}, {"v2alpha1"}, {}};
    for (int step = 0; step < 400; step++) {
      List<ResourceDefinition> removed = new ArrayList<>();
      List<ResourceDefinition> added = new ArrayList<>();
      // two definitions may request one kind; a change may concern several
      for (int i = 0; i <= random.nextInt(3); i++) {
        String group = "g" + random.nextInt(6) + ".example.com";
        String plural = "things" + (random.nextInt(8) * 10 + i);
        String kind = "Thing" + random.nextInt(8);
        List<ResourceDefinition> next =
            rows(group, plural, kind, versions[random.nextInt(versions.length)]);
        String name = plural + "." + group;
        if (added.stream().anyMatch(row -> row.gvr().group().equals(group))
            || removed.stream().anyMatch(row -> row.gvr().group().equals(group))) {
          continue;
        }
        removed.addAll(served.getOrDefault(name, List.of()));
        added.addAll(next);
        served.put(name, next);
      }
      catalog.update(new ResourceCatalog.Change(removed, added));

      List<ResourceDefinition> all = new ArrayList<>(BUILT_IN);
      served.values().forEach(all::addAll);
      assertThat(answers(catalog.snapshot()))
          .as("step " + step)
          .isEqualTo(answers(new ResourceCatalog(all).snapshot()));
    }
    assertThat(told).hasSizeGreaterThan(300);

    // as after a restart of the watch
    told.clear();
    List<ResourceDefinition> kept = new ArrayList<>(BUILT_IN);
    served.values().forEach(kept::addAll);
    ResourceDefinition gone = kept.removeLast();
    catalog.replaceAll(kept);
    assertThat(told).containsExactly(new ResourceCatalog.Change(List.of(gone), List.of()));
    assertThat(answers(catalog.snapshot()))
        .isEqualTo(answers(new ResourceCatalog(kept).snapshot()));
  }

  @Test
  void update_beforeAfterAndChange_areConsistentForListeners() {
    ResourceCatalog catalog = new ResourceCatalog(BUILT_IN);
    List<ResourceDefinition> first = rows("example.com", "things", "Thing", "v1");
    List<ResourceDefinition> next = rows("example.com", "things", "Thing", "v1");
    catalog.update(new ResourceCatalog.Change(List.of(), first));
    List<Long> generations = new ArrayList<>();
    catalog.onChange(
        (before, after, change) -> {
          assertThat(before.find(first.getFirst().gvr())).containsSame(first.getFirst());
          assertThat(after.find(first.getFirst().gvr())).containsSame(next.getFirst());
          assertThat(change.removed()).containsExactlyElementsOf(first);
          assertThat(change.added()).containsExactlyElementsOf(next);
          assertThat(before.versionsGeneration()).isEqualTo(after.versionsGeneration());
          generations.add(after.generation() - before.generation());
        });

    catalog.update(new ResourceCatalog.Change(first, next));
    catalog.update(new ResourceCatalog.Change(List.of(), List.of()));

    assertThat(generations).containsExactly(1L);
  }

  @Test
  void update_ofAGroupVersion_changesTheirGenerationOnlyWhenItComesOrGoes() {
    ResourceCatalog catalog = new ResourceCatalog(BUILT_IN);
    long none = catalog.snapshot().versionsGeneration();
    List<ResourceDefinition> one = rows("example.com", "ones", "One", "v1");
    List<ResourceDefinition> two = rows("example.com", "twos", "Two", "v1");

    catalog.update(new ResourceCatalog.Change(List.of(), one));
    long first = catalog.snapshot().versionsGeneration();
    catalog.update(new ResourceCatalog.Change(List.of(), two));
    catalog.update(new ResourceCatalog.Change(one, List.of()));
    long last = catalog.snapshot().versionsGeneration();
    catalog.update(new ResourceCatalog.Change(two, List.of()));

    assertThat(none).isLessThan(first);
    assertThat(last).isEqualTo(first);
    assertThat(catalog.snapshot().versionsGeneration()).isGreaterThan(last);
    assertThat(catalog.snapshot().versions("example.com")).isEmpty();
  }

  @Test
  void update_thatContradictsTheCatalog_isRejectedAndChangesNothing() {
    ResourceCatalog catalog = new ResourceCatalog(BUILT_IN);
    List<ResourceDefinition> rows = rows("example.com", "things", "Thing", "v1");
    catalog.update(new ResourceCatalog.Change(List.of(), rows));
    Snapshot before = catalog.snapshot();

    assertThatThrownBy(() -> catalog.update(new ResourceCatalog.Change(List.of(), rows)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("defined twice");
    assertThatThrownBy(
            () ->
                catalog.update(
                    new ResourceCatalog.Change(
                        rows("example.com", "things", "Thing", "v1"), List.of())))
        .isInstanceOf(IllegalStateException.class);
    assertThat(catalog.snapshot()).isSameAs(before);
  }

  @Test
  void update_ofOneDefinition_keepsTheListsOfOtherGroupsAndPassesNothing() {
    ResourceCatalog catalog = new ResourceCatalog(BUILT_IN);
    List<ResourceDefinition> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.addAll(rows("g" + i + ".example.com", "things" + i, "Thing" + i, "v1"));
    }
    catalog.update(new ResourceCatalog.Change(List.of(), many));
    Snapshot before = catalog.snapshot();
    long passes = catalog.passes();

    catalog.update(
        new ResourceCatalog.Change(List.of(), rows("g7.example.com", "others", "Other", "v1")));
    Snapshot after = catalog.snapshot();

    assertThat(catalog.passes()).isEqualTo(passes);
    int replaced = 0;
    for (int i = 0; i < 500; i++) {
      GroupVersion version = new GroupVersion("g" + i + ".example.com", "v1");
      replaced += before.resources(version) == after.resources(version) ? 0 : 1;
      assertThat(before.versions(version.group())).isSameAs(after.versions(version.group()));
    }
    assertThat(replaced).isEqualTo(1);
    assertThat(after.find(new GroupResource("g7.example.com", "others"))).hasSize(1);
    assertThat(before.find(new GroupResource("g7.example.com", "others"))).isEmpty();
    assertThat(after.builtIn()).isSameAs(before.builtIn());
  }
}
