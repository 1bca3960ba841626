package dev.keelson.controller.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ClusterSizeTest {

  private final ClusterSize size = new ClusterSize();
  private int nodes;

  private int at(int count) {
    int seconds = -1;
    while (nodes < count) {
      seconds = size.more();
      nodes++;
    }
    while (nodes > count) {
      seconds = size.less();
      nodes--;
    }
    return seconds;
  }

  @Test
  void growingCluster_usesWhatItHasReadLonger() {
    assertThat(at(1)).isZero();
    assertThat(at(100)).isZero();
    assertThat(at(101)).isEqualTo(15);
    assertThat(at(500)).isEqualTo(15);
    assertThat(at(501)).isEqualTo(30);
    assertThat(at(1000)).isEqualTo(30);
    assertThat(at(1001)).isEqualTo(60);
    assertThat(at(2000)).isEqualTo(60);
    assertThat(at(2001)).isEqualTo(300);
  }

  @Test
  void shrinkingCluster_changesBelowTheBorderOfGrowth() {
    assertThat(at(2001)).isEqualTo(300);
    assertThat(at(1800)).isEqualTo(300);
    assertThat(at(1799)).isEqualTo(60);
    assertThat(at(900)).isEqualTo(60);
    assertThat(at(899)).isEqualTo(30);
    assertThat(at(450)).isEqualTo(30);
    assertThat(at(449)).isEqualTo(15);
    assertThat(at(90)).isEqualTo(15);
    assertThat(at(89)).isZero();
    assertThat(at(101)).isEqualTo(15);
  }
}
