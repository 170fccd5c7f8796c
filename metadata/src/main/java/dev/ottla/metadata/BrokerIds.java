package dev.ottla.metadata;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.RandomAccess;

/// A list of broker ids that stores plain ints. Immutable; equal to any list of the same numbers.
public final class BrokerIds extends AbstractList<Integer> implements RandomAccess {
    public static final BrokerIds NONE = new BrokerIds(new int[0]);

    private final int[] ids;

    private BrokerIds(int[] ids) {
        this.ids = ids;
    }

    public static BrokerIds of(int... ids) {
        return ids.length == 0 ? NONE : new BrokerIds(ids.clone());
    }

    public static BrokerIds copyOf(Collection<Integer> ids) {
        if (ids instanceof BrokerIds same) return same;
        if (ids.isEmpty()) return NONE;
        int[] copy = new int[ids.size()];
        int i = 0;
        for (int id : ids) copy[i++] = id;
        return new BrokerIds(copy);
    }

    /// The ids without `id`; the same list when it does not contain it.
    public BrokerIds without(int id) {
        if (!has(id)) return this;
        return new BrokerIds(Arrays.stream(ids).filter(other -> other != id).toArray());
    }

    /// The ids with `id` at the end; the same list when it contains it already.
    public BrokerIds with(int id) {
        if (has(id)) return this;
        int[] longer = Arrays.copyOf(ids, ids.length + 1);
        longer[ids.length] = id;
        return new BrokerIds(longer);
    }

    /// The ids that are not among `others`, in their order.
    public BrokerIds withoutAll(Collection<Integer> others) {
        int[] rest = Arrays.stream(ids).filter(id -> !others.contains(id)).toArray();
        return rest.length == ids.length ? this : of(rest);
    }

    /// The ids that are among `others` too, in their order.
    public BrokerIds within(Collection<Integer> others) {
        int[] common = Arrays.stream(ids).filter(others::contains).toArray();
        return common.length == ids.length ? this : of(common);
    }

    /// These ids, then those of `others` that are not among them.
    public BrokerIds withAll(Collection<Integer> others) {
        BrokerIds all = this;
        for (int id : others) all = all.with(id);
        return all;
    }

    public int at(int index) {
        return ids[index];
    }

    public boolean has(int id) {
        return positionOf(id) >= 0;
    }

    /// The index of `id`, or -1.
    public int positionOf(int id) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == id) return i;
        }
        return -1;
    }

    @Override
    public Integer get(int index) {
        return ids[index];
    }

    @Override
    public boolean contains(Object id) {
        return id instanceof Integer number && has(number);
    }

    @Override
    public int size() {
        return ids.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BrokerIds same ? Arrays.equals(ids, same.ids) : super.equals(other);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int id : ids) hash = 31 * hash + id;
        return hash;
    }
}
