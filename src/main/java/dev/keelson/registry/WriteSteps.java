package dev.keelson.registry;

import dev.keelson.admission.Admission;

/**
 * What a write goes through between its decoding and the store, in this order: defaults in the
 * version of the request, bookkeeping of managed fields, admission that changes, the strategy of
 * the kind, validation, admission that only looks.
 *
 * @param strategies what is special about kinds
 */
public record WriteSteps(
    Defaulting defaulting,
    FieldManagement fields,
    Admission admission,
    Strategies strategies,
    ObjectRules rules) {}
