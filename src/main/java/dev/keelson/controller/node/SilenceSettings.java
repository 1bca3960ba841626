package dev.keelson.controller.node;

import java.time.Duration;

/**
 * When nodes are silent, and how fast their pods are evicted.
 *
 * @param period the time between two looks at all nodes
 * @param grace how long a node that has told its conditions may be silent
 * @param startupGrace how long one that has not may be
 * @param evictionRate in nodes per second, in a zone that is well
 * @param secondaryRate in nodes per second, in a large zone where many nodes are not ready
 * @param largeZone more nodes than that make a zone large
 * @param unhealthyShare from this share of nodes that are not ready a zone is not well
 */
public record SilenceSettings(
    Duration period,
    Duration grace,
    Duration startupGrace,
    double evictionRate,
    double secondaryRate,
    int largeZone,
    double unhealthyShare) {}
